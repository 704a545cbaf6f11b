import { type Base, type Crawler, composeCrawler } from '../../app/compose.ts';
import type { Config } from '../../app/config.ts';
import { BudgetExhausted, type PricebookError, UsageInvalid } from '../../base/errors.ts';
import { regionCodes } from '../../base/model/index.ts';
import { using } from '../closing.ts';
import { crawlNights, RunWaits } from '../crawl-nights.ts';
import { defineVerb, type Invocation } from '../define-verb.ts';
import { commandHint } from '../hint.ts';
import { inventRates } from '../invent-rates.ts';
import { keepSchedule } from '../keep-schedule.ts';
import { composeWatched } from '../monitor.ts';
import { openExplorerOver, refuseUnguarded } from '../open-explorer.ts';
import { maxDetailsOption, wholeNumber } from '../option-values.ts';
import { defaultNights, playNights } from '../play-nights.ts';
import { reportNight } from '../report-night.ts';
import { searchAndLocate } from '../search-and-locate.ts';
import { showProgress } from '../show-progress.ts';
import { declareItems, type ItemsOption, simulatorOptions } from '../simulated.ts';

interface Options extends ItemsOption {
  readonly maxDetails: number;
  readonly nights?: number;
}

export const start = defineVerb<Options>({
  declare(command) {
    command.addOption(maxDetailsOption());
    command.option(
      '--nights <n>',
      'nights before tonight that the simulator plays first (default: all since the last night; ' +
        `${defaultNights} if none)`,
      wholeNumber(0, 1_000),
    );
    declareItems(command);
  },

  run({ maxDetails, nights, ...items }, invocation) {
    const { config, console, signal } = invocation;
    const simulator = simulatorOptions(config, items);
    refuseNights(config, nights);
    refuseUnguarded(config);
    return using(composeWatched('start', invocation), (watched) =>
      using(openExplorerOver(watched, console), async ({ addresses }) => {
        signal.throwIfAborted();
        const { base } = watched;
        const upstream = config.upstream === 'simulator' ? 'the simulator (no gateway is configured)' : 'the gateway';
        console.say(`Crawling both regions from ${upstream}. Explorer: ${addresses}`);
        if (config.upstream === 'simulator')
          await playNights(base, { nights: nights ?? null, maxDetails, simulator, isSearched: true }, invocation);
        return using(composeCrawler(base, { maxDetails, simulator }), async (crawler) => {
          watched.useQueues(crawler.store);
          await crawlTonight(base, crawler, maxDetails, invocation);
          if (config.upstream === 'simulator') {
            await searchAndLocate(crawler.context, signal);
            await inventRates(base);
          }
          // Derived figures and indices must be complete before the hints are printed.
          await crawler.context.followers.follow(signal);
          console.say(nextSteps(commandHint(config), addresses));
          await keepSchedule(crawler, signal);
        });
      }),
    );
  },
});

/** Past nights of a live listing cannot be crawled. */
function refuseNights({ upstream }: Config, nights: number | undefined): void {
  if (nights === undefined || upstream === 'simulator') return;
  throw new UsageInvalid(
    '--nights is for the simulator, but a gateway is configured: past nights of a live listing cannot be crawled.',
  );
}

/** A limit does not stop `start`: the run stays open and continues when the limit allows. */
async function crawlTonight(
  base: Base,
  crawler: Crawler,
  maxDetails: number,
  { console, signal, patienceMs }: Invocation,
): Promise<void> {
  const progress = showProgress(console);
  try {
    const runs = await crawlNights(base, crawler, { regions: regionCodes, maxDetails, signal, patienceMs }, progress);
    progress.end();
    for (const run of runs) await reportNight(base.db, run, console);
    progress.throwRefused();
  } catch (error) {
    progress.end();
    const isLimit = error instanceof BudgetExhausted || error instanceof RunWaits;
    if (!isLimit) throw error;
    console.say(`pricebook: ${(error as PricebookError).message}`);
  }
}

function nextSteps(pricebook: string, explorer: string): string {
  return `
Next steps, in another terminal while this runs:

  Explorer    ${explorer}
  A night     ${pricebook} asof --region uk --limit 10
  Changes     ${pricebook} changes --region uk --limit 10
  Status      ${pricebook} status
  SQL         psql "$(${pricebook} config --database-url)"

Both regions are crawled again every night at 02:00 local time. Ctrl-C ends it.
`.trimStart();
}
