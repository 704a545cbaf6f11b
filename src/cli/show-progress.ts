import type { Base, Crawler } from '../app/compose.ts';
import { count, plural } from '../base/format.ts';
import type { RegionCode } from '../base/model/index.ts';
import { asSaid } from '../base/pricebook-error.ts';
import { crawlNights, type NightWatcher } from '../crawl/crawl-nights.ts';
import { describeCost } from '../crawl/run/cost.ts';
import { type Progress, phaseNames, readProgress } from '../crawl/run/progress.ts';
import type { Run } from '../crawl/run/runs.ts';
import type { Database } from '../db/client.ts';
import { readCertificate } from '../questions/certificates.ts';
import { type NightPlan, plan } from '../questions/plan.ts';
import { describeAmount } from '../source/listings/index.ts';
import type { Console } from './console.ts';
import { duration } from './output/words.ts';

/** Interval between two lines of a region without a terminal; a new phase is printed at once. */
const plainEveryMs = 5_000;
const redrawEveryMs = 250;

type Asked = Parameters<typeof crawlNights>[1];

/** Crawls tonight's run of each region, shows progress and results, and throws the first refusal of a region. */
export async function crawlAndShow(
  { db }: Pick<Base, 'db'>,
  crawler: Crawler,
  asked: Asked,
  console: Console,
): Promise<Run[]> {
  const refused: Error[] = [];
  const watcher = { ...watchCrawl(crawler, asked, console), onRefused: (why: Error) => void refused.push(why) };
  const runs = await crawlNights(crawler, asked, watcher).finally(() => console.redraw([]));
  for (const run of runs) await reportNight(db, run, console);
  for (const why of refused) throw why;
  return runs;
}

function watchCrawl({ context: { db, clock, settings } }: Crawler, asked: Asked, console: Console): NightWatcher {
  const lineOf = createMeter();
  const drawn = new Map<RegionCode, string>();
  const printed = new Map<RegionCode, { atMs: number; phase: Run['phase'] }>();
  return {
    progressEveryMs: console.isTerminal ? redrawEveryMs : plainEveryMs / 2,
    async onOpening(region) {
      const { maxDetails, again = false } = asked;
      const needs = { ...settings, maxDetails, again, now: clock.now(), regions: [region] };
      const [night] = (await plan(db, needs)).nights;
      if (night!.state !== 'certified') console.say(`${region}  expected: ${forecastWords(night!)}`);
    },
    async onProgress(run) {
      const { region, phase } = run;
      const line = lineOf(run, await readProgress(db, run.runId));
      if (console.isTerminal) {
        drawn.set(region, line.slice(0, console.width() - 1));
        return console.redraw([...drawn.values()]);
      }
      const last = printed.get(region);
      const atMs = performance.now();
      if (last?.phase === phase && atMs - last.atMs < plainEveryMs) return;
      printed.set(region, { atMs, phase });
      console.say(line);
    },
    onCertified: ({ region, snapshotDate, verdict, productsListed }) =>
      console.say(
        `${region} ${snapshotDate} is certified already (${verdict?.replaceAll('_', ' ')}, ` +
          `${plural(productsListed ?? 0, 'product')} listed). \`pricebook crawl --again\` crawls it again.`,
      ),
    onWait: ({ region, snapshotDate }, what, patienceMs) =>
      console.say(
        `${region} ${snapshotDate}: the upstream is unavailable; waits. Reason: ${asSaid(what)}. The command ends ` +
          `with exit code 69 after ${plural(patienceMs / 60_000, 'minute')} without an answer.`,
      ),
  };
}

function forecastWords({ requests, seconds, cost, hasPlan }: NightPlan): string {
  const { taxonomy, listing, details, total } = requests;
  const stages = `${count(taxonomy)} taxonomy, ${plural(listing, 'page')}, ${plural(details, 'detail')}`;
  const amount = hasPlan && cost.amount ? `, ${describeAmount(cost.amount)}` : '';
  return `${plural(total, 'request')} (${stages}), about ${duration(seconds)}${amount}`;
}

/** Describes the progress of a run, with the remaining time by the pace since its first reading of this phase. */
function createMeter(): (run: Run, progress: Progress) => string {
  const firsts = new Map<string, { readonly atMs: number; readonly progress: Progress }>();
  const shares = new Map<number, number>();
  return ({ runId, region, phase, status }, progress) => {
    if (phase === 'over' || status !== 'open') return `${region}  100%, ${phaseNames.over}`;
    if (phase === 'taxonomy') return `${region}  ${phaseNames.taxonomy}`;
    const atMs = performance.now();
    const first = firsts.get(`${runId} ${phase}`) ?? { atMs, progress };
    firsts.set(`${runId} ${phase}`, first);
    const seconds = (atMs - first.atMs) / 1_000;
    const perSecond = seconds > 0 ? (unitsDone(progress) - unitsDone(first.progress)) / seconds : 0;
    const left = progress.pagesPlanned + progress.detailsPlanned - unitsDone(progress);
    // First pages and repairs plan more pages, which takes nothing back from what was shown.
    const done = Math.floor((100 * unitsDone(progress)) / Math.max(1, unitsDone(progress) + left));
    const share = Math.max(shares.get(runId) ?? 0, Math.min(99, done));
    shares.set(runId, share);
    const words = [
      `${share}%`.padStart(4),
      phaseNames[phase],
      perSecond > 0 && left > 0 && `${duration(left / perSecond)} left`,
      plural(progress.requests, 'request'),
      progress.cost && describeCost(progress.cost),
    ];
    return `${region}  ${words.filter(Boolean).join(', ')}`;
  };
}

const unitsDone = ({ pagesDone, pagesFailed, detailsDone }: Progress): number => pagesDone + pagesFailed + detailsDone;

const reasonsShown = 5;

/** Prints the result of a run to stdout, and reasons to stderr if it is not complete. */
export async function reportNight(db: Database, run: Run, console: Console): Promise<void> {
  await console.data(`${summaryLine(run)}\n`);
  if (run.verdict === 'complete') return;
  const certificate = await readCertificate(db, { runId: run.runId });
  const blocks = certificate?.findings.filter(({ severity }) => severity === 'block') ?? [];
  const reasons = [...blocks.map(({ message }) => `held back: ${message}`), ...(certificate?.reasons ?? [])];
  for (const reason of reasons.slice(0, reasonsShown)) console.say(`  ${reason}`);
  if (reasons.length > reasonsShown) console.say(`  …and ${count(reasons.length - reasonsShown)} more`);
}

/** `uk 2026-03-01: complete, 19,902 products listed (19,290 available), 1,001 requests, 15 s`. */
export function summaryLine(run: Run): string {
  const { region, snapshotDate, verdict, status, productsListed, productsAvailable, requestsSpent, cost } = run;
  const parts = [
    verdict?.replaceAll('_', ' ') ?? status,
    productsListed !== null &&
      `${plural(productsListed, 'product')} listed (${count(productsAvailable ?? 0)} available)`,
    requestsSpent !== null && plural(requestsSpent, 'request'),
    cost !== null && describeCost(cost),
    run.finishedAt !== null && duration((run.finishedAt.getTime() - run.startedAt.getTime()) / 1_000),
  ];
  return `${region} ${snapshotDate}: ${parts.filter((part) => part !== false).join(', ')}`;
}
