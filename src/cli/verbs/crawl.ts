import { crawlJobs } from '../../../jobs/index.ts';
import { composeCrawler } from '../../app/compose.ts';
import { watchClock } from '../../app/watch-clock.ts';
import { abandonRun } from '../../crawl/run/end.ts';
import { emptyStage } from '../../publish/tidy-up.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { addRegion, flag, maxDetailsOption, option, wholeNumber } from '../option-values.ts';
import { crawlAndShow } from '../show-progress.ts';
import { itemsOption, simulatorOptions } from '../simulated.ts';
import { withBase } from '../with-base.ts';

/** Exit code of a crawl with a partial certificate. */
export const partialExitCode = 3;

const crawling = {
  region: option('--region <region>', 'uk or ie; may be repeated (default: those of REGIONS)', addRegion),
  maxDetails: maxDetailsOption(),
  again: flag('--again', 'crawl a certified night again'),
  acceptNewHost: flag('--accept-new-host', 'follow a listing that has moved to another host'),
  despiteDrift: flag('--despite-drift', 'crawl although the first pages cannot be parsed as before'),
};
const abandoning = 'abandon this open or held run instead of crawling';

export const verb = defineVerb({
  options: {
    ...crawling,
    abandon: option('--abandon <run>', abandoning, wholeNumber(1)).conflicts(Object.keys(crawling)),
    items: itemsOption(),
  },

  run({ abandon, region, items, again = false, ...others }, invocation) {
    const { config, console, signal, clock, patienceMs } = invocation;
    const simulator = abandon === undefined ? simulatorOptions(config, items) : {};
    return withBase<number | undefined>(invocation, async (base) => {
      if (abandon !== undefined) {
        const { region: its, snapshotDate } = await abandonRun(base, abandon, clock.now());
        await emptyStage(base.db);
        console.say(`${its} ${snapshotDate}: run ${abandon} is abandoned; nothing of it is published.`);
        return undefined;
      }
      return using(watchClock(base.db, invocation), () =>
        using(composeCrawler(base, { ...others, simulator, jobs: crawlJobs }), async (crawler) => {
          // With `--now`, the night of that instant, even if the clock has moved on since: repeating the command must
          // mean the same night.
          const at = clock.playedFrom;
          const { maxDetails } = others;
          const asked = { regions: region ?? config.regions, maxDetails, again, ...(at && { at }), signal, patienceMs };
          const runs = await crawlAndShow(base, crawler, asked, console);
          return runs.some(({ verdict }) => verdict === 'partial' || verdict === null) ? partialExitCode : 0;
        }),
      );
    });
  },
});
