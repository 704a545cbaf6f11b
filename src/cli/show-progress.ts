import type { RegionCode } from '../base/model/index.ts';
import { describeCost } from '../crawl/ledger/run-cost.ts';
import type { Run } from '../crawl/ledger/runs.ts';
import { defaultPageSize } from '../crawl/plan/paging.ts';
import type { Progress } from '../crawl/status/progress.ts';
import { phaseNames } from '../questions/status.ts';
import type { Console } from './console.ts';
import type { NightWatcher } from './crawl-nights.ts';
import { count, duration } from './output/words.ts';
import { forecastWords } from './plan/describe-plan.ts';

/** Interval between two lines of a region without a terminal; a new phase is printed at once. */
const plainEveryMs = 5_000;
const redrawEveryMs = 250;
/** Time window for rates. */
const windowMs = 10_000;
/** Used to estimate the number of details. */
const productsPerPage = defaultPageSize;

/**
 * Shows the progress of open runs: one line per region, redrawn on a terminal and repeated periodically elsewhere.
 * `end` leaves the last lines in place, `throwRefused` throws the first refusal.
 */
export function showProgress(console: Console, nowMs: () => number = () => performance.now()) {
  const refused: Error[] = [];
  const lineOf = createMeter(nowMs);
  const drawn = new Map<RegionCode, string>();
  const told = new Map<RegionCode, { atMs: number; phase: Run['phase'] }>();
  return {
    progressEveryMs: console.isTerminal ? redrawEveryMs : plainEveryMs / 2,
    onProgress(run: Run, progress: Progress) {
      const { region, phase } = run;
      const line = lineOf(run, progress);
      if (console.isTerminal) {
        drawn.set(region, line.slice(0, console.width() - 1));
        console.redraw([...drawn.values()]);
        return;
      }
      const last = told.get(region);
      if (last?.phase === phase && nowMs() - last.atMs < plainEveryMs) return;
      told.set(region, { atMs: nowMs(), phase });
      console.say(line);
    },
    onForecast: (plan) => {
      if (plan.state !== 'certified') console.say(`${plan.region}  expected: ${forecastWords(plan)}`);
    },
    onCertified: ({ region, snapshotDate, verdict, productsListed }) =>
      console.say(
        `${region} ${snapshotDate} is certified already (${verdict?.replaceAll('_', ' ')}, ` +
          `${count(productsListed ?? 0)} products listed). \`pricebook crawl --again\` crawls it again.`,
      ),
    onWait: ({ region, snapshotDate, pausedUntil }) =>
      console.say(
        `${region} ${snapshotDate}: the upstream is unavailable; waits, tries again at ` +
          `${pausedUntil?.toISOString()}. The command ends with exit code 69 after five minutes without an answer.`,
      ),
    onRefused: (why) => void refused.push(why),
    throwRefused() {
      for (const why of refused) throw why;
    },
    end: () => console.redraw([]),
  } satisfies NightWatcher & { throwRefused(): void; end(): void };
}

/** Describes the progress of a run with rates and remaining time, computed from successive readings of the ledger. */
function createMeter(nowMs: () => number): (run: Run, progress: Progress) => string {
  const looks = new Map<number, { atMs: number; progress: Progress }[]>();
  return (run, progress) => {
    const { region, phase } = run;
    if (phase === 'over' || run.status !== 'open')
      return `${region}  100 %, ${count(progress.productsRead)} products read, ${phaseNames.over}`;
    if (phase === 'taxonomy') return `${region}  ${phaseNames.taxonomy}`;

    const atMs = nowMs();
    const seen = looks.get(run.runId) ?? [];
    looks.set(run.runId, seen);
    seen.push({ atMs, progress });
    while (seen.length > 2 && atMs - seen[0]!.atMs > windowMs) seen.shift();
    const [first] = seen;
    const seconds = (atMs - first!.atMs) / 1_000;
    const perSecond = (of: (progress: Progress) => number) =>
      seconds > 0 ? Math.max(0, (of(progress) - of(first!.progress)) / seconds) : 0;

    const planned = progress.pagesPlanned + detailsExpected(run, progress);
    const done = unitsDone(progress);
    const share = planned === 0 ? 0 : Math.min(1, done / planned);
    const unitsPerSecond = perSecond(unitsDone);
    const isTimed = unitsPerSecond > 0 && phase !== 'finishing';
    const requests = perSecond((each) => each.requests);
    const words = [
      `${Math.floor(share * 100)} %`.padStart(5),
      phaseNames[phase],
      ...(isTimed ? [`${duration(Math.max(0, planned - done) / unitsPerSecond)} left`] : []),
      `${count(perSecond((each) => each.productsRead))} products/s`,
      `${requests < 10 ? requests.toFixed(1) : count(requests)} requests/s`,
      ...(progress.cost === null ? [] : [describeCost(progress.cost)]),
    ];
    return `${region}  ${words.join(', ')}`;
  };
}

function unitsDone({ pagesDone, pagesFailed, detailsDone }: Progress): number {
  return pagesDone + pagesFailed + detailsDone;
}

/** Before details are planned, the maximum number that may be requested. */
function detailsExpected(run: Run, { pagesPlanned, detailsPlanned }: Progress): number {
  return run.phase === 'categories' ? Math.min(run.maxDetails, pagesPlanned * productsPerPage) : detailsPlanned;
}
