import { followNights } from '../../jobs/follow-nights.ts';
import { crawlJobs } from '../../jobs/index.ts';
import { type Base, type Crawler, composeCrawler } from '../app/compose.ts';
import { clockFrom } from '../base/clock.ts';
import { BudgetExhausted, type PricebookError, RunRefused } from '../base/errors.ts';
import { type RegionCode, regionCodes, regions } from '../base/model/index.ts';
import type { Run } from '../crawl/ledger/runs.ts';
import { datesBetween } from '../crawl/plan/local-time.ts';
import { nightsToPlay } from '../crawl/plan/nights-to-play.ts';
import type { SimulatorOptions } from '../simulator/index.ts';
import { localDate } from '../source/normalise/promotion-date.ts';
import { using } from './closing.ts';
import { crawlNights, RunWaits } from './crawl-nights.ts';
import type { Invocation } from './define-verb.ts';
import { readInstant } from './option-values.ts';
import { showPlayedNights } from './progress/show-played-nights.ts';
import { reportNight } from './report-night.ts';

/** Nights that `start` plays into a new book when nobody says how many. */
export const defaultNights = 14;

/** Details a played night asks for, per region, at most: they are most of what a small night costs. */
const maxDetailsPlayed = 20;

/** How often a night is tried that another process had in progress. */
const mostTries = 5;

/** The command does what follows a night itself, before the next one begins. */
const playedJobs = crawlJobs.filter((job) => job !== followNights);

export interface Playing {
  /** Nights before tonight, at most. Null: all since the book's last one; `inNewBook` into a new book. */
  readonly nights: number | null;
  readonly inNewBook?: number;
  readonly maxDetails: number;
  readonly simulator: SimulatorOptions;
}

/**
 * Crawls the simulator's nights before tonight that the book has not had, each on a clock set to its date: a book that
 * was not open for some days has them all the same. Nights that are there are left alone; what was interrupted goes on.
 * Returns how many it played.
 */
export async function playNights(
  base: Base,
  { nights, inNewBook = defaultNights, maxDetails, simulator }: Playing,
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
    if (nights === null && datesOf(planned).length > inNewBook) console.say(longGap(datesOf(planned), inNewBook));
    const progress = showPlayedNights(console, datesOf(planned).length);
    try {
      for (const date of datesOf(planned)) {
        progress.begin(date);
        clock.set(readInstant(date));
        const runs = await playNight(base, crawler, { date, most, maxDetails: details, signal });
        progress.done(runs);
        for (const run of runs) if (run.verdict !== 'complete') await reportNight(base.db, run, console);
      }
    } catch (error) {
      // What cannot be played now does not keep tonight from being crawled.
      if (!(error instanceof RunRefused || error instanceof BudgetExhausted || error instanceof RunWaits)) throw error;
      progress.end();
      console.say(`pricebook: ${(error as PricebookError).message}`);
      const unplayed = datesOf(await readNights(base, most));
      if (unplayed.length > 0)
        console.say(`Not played: ${span(unplayed)}. Tonight is crawled, and no night before it can follow.`);
    } finally {
      progress.end();
    }
    return datesOf(planned).length;
  });
}

function leftOut(region: RegionCode, missed: readonly string[], nights: number | null): string {
  return (
    `${region} leaves out ${span(missed)} for good: --nights ${nights} plays no more, and history is only added to. ` +
    'Without --nights, all nights since the last one are played.'
  );
}

const longGap = (dates: readonly string[], inNewBook: number): string =>
  `The book has not had ${span(dates)}: these nights are played first. After Ctrl-C the next start goes on with them; ` +
  `--nights ${inNewBook} plays the last ${inNewBook} of them and leaves out the others for good.`;

const span = (dates: readonly string[]): string =>
  dates.length === 1 ? `${dates[0]}` : `${dates.length} nights, ${dates[0]} to ${dates.at(-1)}`;

interface Asked {
  readonly date: string;
  readonly most: MostNights;
  readonly maxDetails: number;
  readonly signal: AbortSignal;
}

/**
 * One night of the regions that have not had it. Another process that plays them too may be a night ahead or behind.
 */
async function playNight(base: Base, crawler: Crawler, { date, most, maxDetails, signal }: Asked): Promise<Run[]> {
  for (let tries = 1; ; tries += 1) {
    const due = (await readNights(base, most)).filter(({ played }) => played.includes(date));
    try {
      return await crawlNights(base, crawler, { regions: due.map(({ region }) => region), maxDetails, signal });
    } catch (error) {
      if (!(error instanceof RunRefused) || tries === mostTries) throw error;
    }
  }
}

/** So many nights at most: what was asked for, or else all since the last one. */
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
      // Tonight has begun: it goes on, and nothing can be put before it.
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

/** A night that was under way on the machine's clock when everything ended, some days ago: it comes first. */
async function finishEarlierNight(base: Base, simulator: SimulatorOptions, signal: AbortSignal): Promise<void> {
  const open = (await base.runs.allOpen()).filter(
    ({ region, clock, snapshotDate }) => clock === 'machine' && snapshotDate < tonightOf(region, base.clock.now()),
  );
  if (open.length === 0 || base.clock.playedFrom) return;
  await using(composeCrawler(base, { simulator, jobs: crawlJobs }), (crawler) =>
    crawlNights(base, crawler, { regions: open.map(({ region }) => region), maxDetails: 0, signal }),
  );
}
