import { Option } from 'commander';
import { crawlJobs } from '../../../jobs/index.ts';
import { compose, composeCrawler } from '../../app/compose.ts';
import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import { abandonRun } from '../../crawl/ledger/end-run.ts';
import { emptyStage } from '../../publish/empty-stage.ts';
import { using } from '../closing.ts';
import { crawlNights } from '../crawl-nights.ts';
import { defineVerb, type Invocation } from '../define-verb.ts';
import { addRegion, maxDetailsOption, wholeNumber } from '../option-values.ts';
import { reportNight } from '../report-night.ts';
import { showProgress } from '../show-progress.ts';
import { declareItems, type ItemsOption, simulatorOptions } from '../simulated.ts';
import { watchClock } from '../watch-clock.ts';

interface Options extends ItemsOption {
  readonly region?: readonly RegionCode[];
  readonly maxDetails: number;
  readonly again?: boolean;
  readonly acceptNewHost?: boolean;
  readonly despiteDrift?: boolean;
  readonly abandon?: number;
}

/** Exit code of a crawl with a partial certificate. */
export const partialExitCode = 3;

export const crawl = defineVerb<Options>({
  declare(command) {
    command
      .option('--region <region>', 'uk or ie; may be repeated (default: both)', addRegion)
      .addOption(maxDetailsOption())
      .option('--again', 'crawl a certified night again')
      .option('--accept-new-host', 'follow a listing that has moved to another host')
      .option('--despite-drift', 'crawl although the first pages cannot be parsed as before')
      .addOption(
        new Option('--abandon <run>', 'abandon this open or held run instead of crawling')
          .argParser(wholeNumber(1))
          .conflicts(['region', 'maxDetails', 'again', 'acceptNewHost', 'despiteDrift']),
      );
    declareItems(command);
  },

  run(options, invocation) {
    const { region: regions = regionCodes, maxDetails, items, again = false, abandon } = options;
    const { acceptNewHost = false, despiteDrift = false } = options;
    const { config, console, signal, clock, log, patienceMs } = invocation;
    if (abandon !== undefined) return giveUp(abandon, invocation);
    const simulator = simulatorOptions(config, { ...(items === undefined ? {} : { items }) });
    return using(compose(config, { clock, log, name: 'crawl' }), (base) =>
      using(watchClock(base.db, invocation), () =>
        using(
          composeCrawler(base, { maxDetails, simulator, acceptNewHost, despiteDrift, jobs: crawlJobs }),
          async (crawler) => {
            const progress = showProgress(console);
            // With `--now`, the night of that instant, even if the clock has moved on since: repeating the command must
            // mean the same night.
            const at = clock.playedFrom;
            const asked = { regions, maxDetails, again, ...(at && { at }), signal, patienceMs };
            const runs = await crawlNights(base, crawler, asked, progress).finally(progress.end);
            for (const run of runs) await reportNight(base.db, run, console);
            progress.throwRefused();
            return runs.some(({ verdict }) => verdict === 'partial' || verdict === null) ? partialExitCode : 0;
          },
        ),
      ),
    );
  },
});

/** Abandons a run that cannot finish, so that other runs of its region can start. */
function giveUp(runId: number, { config, clock, log, console }: Invocation): Promise<void> {
  return using(compose(config, { clock, log, name: 'crawl' }), async (base) => {
    const { region, snapshotDate } = await abandonRun(base, runId, clock.now());
    await emptyStage(base.db);
    console.say(`${region} ${snapshotDate}: run ${runId} is abandoned; nothing of it is published.`);
  });
}
