import { setSchedule } from '../../../jobs/schedule.ts';
import { type Base, type Crawler, compose, composeCrawler } from '../../compose.ts';
import { BudgetExhausted, type PricebookError } from '../../errors.ts';
import { regionCodes } from '../../model/index.ts';
import { using } from '../closing.ts';
import { crawlNights, RunWaits } from '../crawl-nights.ts';
import { defineVerb, type Invocation } from '../define-verb.ts';
import { untilInterrupted } from '../interruption.ts';
import { openDashboardOver } from '../open-dashboard.ts';
import { wholeNumber } from '../option-values.ts';
import { nameOtherStarts } from '../other-starts.ts';
import { showProgress } from '../progress/show-progress.ts';
import { reportNight } from '../report-night.ts';
import { declareItems, type ItemsOption, simulatorOptions } from '../simulated.ts';
import { whatToLookAt } from '../what-to-look-at.ts';

interface Options extends ItemsOption {
  readonly maxDetails: number;
}

export const start = defineVerb<Options>({
  name: 'start',
  summary: 'do everything in one process: crawl both regions, then every night, and show it',
  declare(command) {
    command.option('--max-details <n>', 'details of products to ask for, per region and night', wholeNumber(0), 200);
    declareItems(command);
  },

  run({ maxDetails, ...items }, invocation) {
    const { config, console, signal, clock, log } = invocation;
    const simulator = simulatorOptions(config, items);
    return using(compose(config, { clock, log, name: 'start' }), (base) =>
      using(composeCrawler(base, { maxDetails, simulator }), (crawler) =>
        using(openDashboardOver(base, console), ({ url }) =>
          using(nameOtherStarts(base, crawler, console), async () => {
            const upstream =
              config.upstream === 'simulator' ? 'the simulator (no gateway is configured)' : 'the gateway';
            console.say(`Crawling both regions from ${upstream}. Dashboard: ${url}`);
            await crawlTonight(base, crawler, maxDetails, invocation);
            await setSchedule(crawler.context);
            const nights = await Promise.all(regionCodes.map((region) => base.runs.lastNight(region)));
            const snapshotDate = nights.find((night) => night !== null) ?? null;
            console.say(whatToLookAt({ config, dashboardUrl: url, snapshotDate }));
            await untilInterrupted(signal);
            return undefined;
          }),
        ),
      ),
    );
  },
});

/** A limit does not end `start`: the run stays open and goes on by itself when the limit allows. */
async function crawlTonight(
  base: Base,
  crawler: Crawler,
  maxDetails: number,
  { console, signal }: Invocation,
): Promise<void> {
  const progress = showProgress(console);
  try {
    const runs = await crawlNights(base, crawler, { regions: regionCodes, maxDetails, signal }, progress);
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
