import { followNights } from '../../jobs/follow-nights.ts';
import { crawlJobs } from '../../jobs/index.ts';
import { type Base, type Crawler, composeCrawler } from '../app/compose.ts';
import { clockFrom } from '../base/clock.ts';
import { BudgetExhausted, type PricebookError, RunRefused } from '../base/errors.ts';
import { localDate } from '../base/local-date.ts';
import { type RegionCode, regionCodes, regions } from '../base/model/index.ts';
import type { Run } from '../crawl/ledger/runs.ts';
import { datesBetween } from '../crawl/plan/local-time.ts';
import { nightsToPlay } from '../crawl/plan/nights-to-play.ts';
import type { SimulatorOptions } from '../simulator/index.ts';
import { using } from './closing.ts';
import { crawlNights, RunWaits } from './crawl-nights.ts';
import type { Invocation } from './define-verb.ts';
import { readInstant } from './option-values.ts';
import { count } from './output/words.ts';
import { reportNight } from './report-night.ts';
import { searchAndLocate } from './search-and-locate.ts';

/** Nights that `start` plays into a new database by default. */
export const defaultNights = 42;

/** Maximum number of details per region in a played night; details are most of the cost of a small night. */
const maxDetailsPlayed = 20;

/** Maximum number of attempts for a night that another process is crawling. */
const mostTries = 5;

/**
 * Deriving several nights at once costs little more than deriving one. The first is followed, then these many at once,
 * while the next nights are crawled.
 */
const followEvery = 15;

/** Last played nights on which the shop is searched as well. */
const nightsSearched = 7;

/** Without the follower job: the command runs the followers itself between two nights. */
const playedJobs = crawlJobs.filter((job) => job !== followNights);

export interface Playing {
  /** Maximum number of nights before tonight. Null: all since the last night, `inNewBook` in a new database. */
  readonly nights: number | null;
  readonly inNewBook?: number;
  readonly maxDetails: number;
  readonly simulator: SimulatorOptions;
  /** Whether the shop is searched on the last nights, and its stores are located once. */
  readonly isSearched?: boolean;
}

/**
 * Crawls the missing nights of the simulator before tonight, each with the clock set to its date. Existing nights are
 * kept and interrupted ones continued. Returns the number of nights played.
 */
export async function playNights(
  base: Base,
  { nights, inNewBook = defaultNights, maxDetails, simulator, isSearched = false }: Playing,
  { console, signal }: Pick<Invocation, 'console' | 'signal'>,
): Promise<number> {
  if (nights !== 0) await finishEarlierNight(base, simulator, signal);
  const most = { asked: nights, inNewBook };
  const planned = await readNights(base, most);
  const [first] = datesOf(planned);
  if (first === undefined) return 0;

  const clock = clockFrom(readInstant(first));
  const details = Math.min(maxDetails, maxDetailsPlayed);
  const options = { maxDetails: details, simulator, jobs: playedJobs };
  return using(composeCrawler({ ...base, clock }, options), async (crawler) => {
    for (const { region, missed } of planned) {
      await base.runs.recordMissed(region, missed, base.clock.now());
      if (missed.length > 0) console.say(leftOut(region, missed, nights));
    }
    const dates = datesOf(planned);
    let following: Promise<void> = Promise.resolve();
    try {
      for (const [i, date] of dates.entries()) {
        const night = `night ${i + 1} of ${dates.length}: ${date}`;
        console.redraw([`${night} …`]);
        clock.set(readInstant(date));
        const runs = await playNight(base, crawler, { date, most, maxDetails: details, signal });
        console.say([night, ...runs.map(nightWords).sort().reverse()].join(', '));
        for (const run of runs) if (run.verdict !== 'complete') await reportNight(base.db, run, console);
        if (isSearched && i >= dates.length - nightsSearched) await searchAndLocate(crawler.context, signal);
        if (i % followEvery !== 0) continue;
        await following;
        following = crawler.context.followers.follow(signal);
        // Awaited later, when the error is thrown.
        following.catch(() => undefined);
      }
    } catch (error) {
      // A failed past night does not prevent the crawl of tonight.
      if (!(error instanceof RunRefused || error instanceof BudgetExhausted || error instanceof RunWaits)) throw error;
      console.redraw([]);
      console.say(`pricebook: ${(error as PricebookError).message}`);
      const unplayed = datesOf(await readNights(base, most));
      if (unplayed.length > 0)
        console.say(
          `Not played: ${span(unplayed)}. Tonight is crawled now; earlier nights cannot be added afterwards.`,
        );
    } finally {
      console.redraw([]);
    }
    await following;
    return datesOf(planned).length;
  });
}

function nightWords({ region, verdict, status, productsListed }: Run): string {
  const listed = productsListed === null ? '' : ` with ${count(productsListed)} products`;
  return `${region} ${verdict?.replaceAll('_', ' ') ?? status}${listed}`;
}

function leftOut(region: RegionCode, missed: readonly string[], nights: number | null): string {
  return (
    `${region} skips ${span(missed)} permanently: --nights ${nights} limits the nights, and history is append-only. ` +
    'Without --nights, all nights since the last one are played.'
  );
}

const span = (dates: readonly string[]): string =>
  dates.length === 1 ? `${dates[0]}` : `${dates.length} nights, ${dates[0]} to ${dates.at(-1)}`;

interface Asked {
  readonly date: string;
  readonly most: MostNights;
  readonly maxDetails: number;
  readonly signal: AbortSignal;
}

/** Crawls one night of the regions that lack it. Another process that plays nights may be a night ahead or behind. */
async function playNight(base: Base, crawler: Crawler, { date, most, maxDetails, signal }: Asked): Promise<Run[]> {
  for (let tries = 1; ; tries += 1) {
    const due = (await readNights(base, most)).filter(({ played }) => played.includes(date));
    try {
      const regions = due.map(({ region }) => region);
      return await crawlNights(base, crawler, { regions, maxDetails, signal, isFollowed: false });
    } catch (error) {
      if (!(error instanceof RunRefused) || tries === mostTries) throw error;
    }
  }
}

/** Maximum number of nights: `asked`, or all since the last night. */
interface MostNights {
  readonly asked: number | null;
  readonly inNewBook: number;
}

interface NightsOfRegion {
  readonly region: RegionCode;
  readonly played: readonly string[];
  readonly missed: readonly string[];
}

function readNights({ runs, clock }: Base, { asked, inNewBook }: MostNights): Promise<NightsOfRegion[]> {
  return Promise.all(
    regionCodes.map(async (region) => {
      const tonight = tonightOf(region, clock.now());
      const open = await runs.openOf(region);
      const isInterrupted = open !== null && open.clock === 'played' && open.snapshotDate < tonight;
      // Tonight's run is open, so no night can be added before it.
      if (open && !isInterrupted) return { region, played: [], missed: [] };
      const last = await runs.lastKeptNight(region);
      const most = asked ?? (last === null ? inNewBook : datesBetween(last, tonight).length);
      const nights = nightsToPlay({ tonight, last, most });
      return open ? { ...nights, region, played: [open.snapshotDate, ...nights.played] } : { ...nights, region };
    }),
  );
}

const tonightOf = (region: RegionCode, now: Date): string => localDate(now, regions[region].timeZone);

const datesOf = (nights: readonly NightsOfRegion[]): string[] =>
  [...new Set(nights.flatMap(({ played }) => played))].sort();

/**
 * Finishes an open run of an earlier date that was started by the system clock; it must end before later nights are
 * played.
 */
async function finishEarlierNight(base: Base, simulator: SimulatorOptions, signal: AbortSignal): Promise<void> {
  const open = (await base.runs.allOpen()).filter(
    ({ region, clock, snapshotDate }) => clock === 'machine' && snapshotDate < tonightOf(region, base.clock.now()),
  );
  if (open.length === 0 || base.clock.playedFrom) return;
  await using(composeCrawler(base, { simulator, jobs: crawlJobs }), (crawler) =>
    crawlNights(base, crawler, { regions: open.map(({ region }) => region), maxDetails: 0, signal }),
  );
}
