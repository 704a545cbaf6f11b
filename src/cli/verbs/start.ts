import { type Base, type Crawler, composeCrawler } from '../../app/compose.ts';
import type { Config } from '../../app/config.ts';
import { keepSchedule } from '../../app/keep-schedule.ts';
import { inventRates, searchAndLocate } from '../../app/search-and-locate.ts';
import { kindOf, UsageInvalid } from '../../base/errors.ts';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { RunWaits } from '../../crawl/crawl-nights.ts';
import { timeText } from '../../crawl/run/night-time.ts';
import { using } from '../closing.ts';
import { defineVerb, type Invocation } from '../define-verb.ts';
import { ownCommand } from '../hint.ts';
import { composeWatched } from '../monitor.ts';
import { openExplorerOver, refuseUnguarded } from '../open-explorer.ts';
import { maxDetailsOption, option, wholeNumber } from '../option-values.ts';
import { defaultNights, playNights } from '../play-nights.ts';
import { crawlAndShow } from '../show-progress.ts';
import { itemsOption, simulatorOptions } from '../simulated.ts';

export const verb = defineVerb({
  logsLike: 'quiet service',
  options: {
    maxDetails: maxDetailsOption(),
    nights: option(
      '--nights <n>',
      'nights before tonight that the simulator plays first (default: all since the last night; ' +
        `${defaultNights} if none)`,
      wholeNumber(0, 1_000),
    ),
    items: itemsOption(),
  },

  run({ maxDetails, nights, items }, invocation) {
    const { config, console, signal } = invocation;
    const simulator = simulatorOptions(config, items);
    if (nights !== undefined && config.upstream === 'gateway')
      throw new UsageInvalid(
        '--nights is for the simulator, but a gateway is configured: past nights of a live listing cannot be crawled.',
      );
    refuseUnguarded(config);
    return using(composeWatched('start', invocation), (watched) =>
      using(openExplorerOver(watched, console), async ({ url }) => {
        signal.throwIfAborted();
        const { base } = watched;
        const upstream = config.upstream === 'simulator' ? 'the simulator (no gateway is configured)' : 'the gateway';
        const names = config.regions.map((region) => regions[region].name).join(' and ');
        console.say(`Crawling ${names} from ${upstream}. Explorer: ${url}`);
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
          console.say(nextSteps(config, url));
          await keepSchedule(crawler, signal);
        });
      }),
    );
  },
});

/** A limit does not stop `start`: the run stays open and continues when the limit allows. */
async function crawlTonight(
  base: Base,
  crawler: Crawler,
  maxDetails: number,
  { console, signal, patienceMs }: Invocation,
): Promise<void> {
  try {
    await crawlAndShow(base, crawler, { regions: base.config.regions, maxDetails, signal, patienceMs }, console);
  } catch (error) {
    const isLimit = ['quota', 'waits'].includes(kindOf(error)) || error instanceof RunWaits;
    if (!isLimit) throw error;
    console.say(`pricebook: ${(error as Error).message}`);
  }
}

function nextSteps(config: Config, explorer: string): string {
  const [region] = config.regions;
  const nightly = (each: RegionCode) => `${regions[each].name} at ${timeText(config.nightAt[each])} local time`;
  return `
Next steps, in another terminal while this runs:

  Explorer    ${explorer}
  A night     ${ownCommand} asof --region ${region} --limit 10
  Changes     ${ownCommand} changes --region ${region} --limit 10
  Status      ${ownCommand} status
  SQL         psql "$(${ownCommand} config --database-url)"

Every night is crawled: ${config.regions.map(nightly).join(', ')}. Ctrl-C ends it.
`.trimStart();
}
