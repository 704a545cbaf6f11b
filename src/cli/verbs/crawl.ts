import { crawlJobs } from '../../../jobs/index.ts';
import { compose, composeCrawler } from '../../compose.ts';
import { type RegionCode, regionCodes } from '../../model/index.ts';
import { using } from '../closing.ts';
import { crawlNights } from '../crawl-nights.ts';
import { defineVerb } from '../define-verb.ts';
import { addRegion, wholeNumber } from '../option-values.ts';
import { showProgress } from '../progress/show-progress.ts';
import { reportNight } from '../report-night.ts';
import { declareItems, type ItemsOption, simulatorOptions } from '../simulated.ts';

interface Options extends ItemsOption {
  readonly region?: readonly RegionCode[];
  readonly maxDetails: number;
  readonly again?: boolean;
  readonly acceptNewHost?: boolean;
}

/** Exit code of a crawl that ended without having seen everything. */
export const partialExitCode = 3;

export const crawl = defineVerb<Options>({
  name: 'crawl',
  summary: "crawl tonight's run of each region to its end",
  declare(command) {
    command
      .option('--region <region>', 'uk or ie; may be repeated (default: both)', addRegion)
      .option('--max-details <n>', 'details of products to ask for, per region', wholeNumber(0), 200)
      .option('--again', 'crawl a night again that is certified already')
      .option('--accept-new-host', 'the listing is asked at another host than before: it has moved there');
    declareItems(command);
  },

  run({ region: regions = regionCodes, maxDetails, items, again = false, acceptNewHost = false }, invocation) {
    const { config, console, signal, clock, log } = invocation;
    const simulator = simulatorOptions(config, { ...(items === undefined ? {} : { items }) });
    return using(compose(config, { clock, log, name: 'crawl' }), (base) =>
      using(composeCrawler(base, { maxDetails, simulator, acceptNewHost, jobs: crawlJobs }), async (crawler) => {
        const progress = showProgress(console);
        const asked = { regions, maxDetails, again, signal };
        const runs = await crawlNights(base, crawler, asked, progress).finally(progress.end);
        for (const run of runs) await reportNight(base.db, run, console);
        return runs.some(({ verdict }) => verdict === 'partial' || verdict === null) ? partialExitCode : 0;
      }),
    );
  },
});
