import { followNights } from '../../jobs/follow-nights.ts';
import { crawlJobs } from '../../jobs/index.ts';
import { type Base, composeCrawler } from '../app/compose.ts';
import { searchAndLocate } from '../app/search-and-locate.ts';
import { clockFrom, kindOfClock } from '../base/clock.ts';
import { kindOf, RunRefused } from '../base/errors.ts';
import { plural } from '../base/format.ts';
import { localDate } from '../base/local-date.ts';
import { regions } from '../base/model/index.ts';
import { crawlNights, RunWaits } from '../crawl/crawl-nights.ts';
import { nightsToPlay } from '../crawl/plan/nights-to-play.ts';
import { datesBetween } from '../crawl/run/night-time.ts';
import type { Run } from '../crawl/run/runs.ts';
import type { SimulatorOptions } from '../simulator/index.ts';
import { using } from './closing.ts';
import type { Invocation } from './define-verb.ts';
import { readInstant } from './option-values.ts';
import { reportNight } from './show-progress.ts';

/** Nights that `start` plays into a new database by default. */
export const defaultNights = 42;

/** Maximum number of details per region in a played night; details are most of the cost of a small night. */
const maxDetailsPlayed = 20;

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
  /** Maximum number of nights before tonight. Null: all since the last night, 42 in a new database. */
  readonly nights: number | null;
  readonly maxDetails: number;
  readonly simulator: SimulatorOptions;
  /** Whether the shop is searched on the last nights, and its stores are located once. */
  readonly isSearched?: boolean;
}

/**
 * Crawls the missing nights of the simulator before tonight, each with the clock set to its date. Existing nights are
 * kept and interrupted ones continued.
 */
export async function playNights(
  base: Base,
  { nights, maxDetails, simulator, isSearched = false }: Playing,
  { console, signal }: Pick<Invocation, 'console' | 'signal'>,
): Promise<void> {
  const planned = await readNights(base, nights);
  const dates = [...new Set(planned.flatMap(({ played }) => played))].sort();
  if (dates.length === 0) return;

  const clock = clockFrom(readInstant(dates[0]!));
  const details = Math.min(maxDetails, maxDetailsPlayed);
  const options = { maxDetails: details, simulator, jobs: playedJobs, clock: kindOfClock(base.clock) };
  await using(composeCrawler({ ...base, clock }, options), async (crawler) => {
    for (const { region, missed } of planned)
      if (missed.length > 0)
        console.say(
          `${region} skips ${span(missed)} permanently: --nights ${nights} limits the nights, and history is ` +
            'append-only. Without --nights, all nights since the last one are played.',
        );
    let following: Promise<void> = Promise.resolve();
    try {
      for (const [i, date] of dates.entries()) {
        const night = `night ${i + 1} of ${dates.length}: ${date}`;
        console.redraw([`${night} …`]);
        clock.set(readInstant(date));
        const due = planned.filter(({ played }) => played.includes(date)).map(({ region }) => region);
        const runs = await crawlNights(crawler, { regions: due, maxDetails: details, signal, isFollowed: false });
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
      const isLimit = ['quota', 'waits'].includes(kindOf(error));
      if (!(isLimit || error instanceof RunRefused || error instanceof RunWaits)) throw error;
      console.redraw([]);
      console.say(`pricebook: ${(error as Error).message} Tonight is crawled now, without the nights in between.`);
    } finally {
      console.redraw([]);
    }
    await following;
  });
}

function nightWords({ region, verdict, status, productsListed }: Run): string {
  const listed = productsListed === null ? '' : ` with ${plural(productsListed, 'product')}`;
  return `${region} ${verdict?.replaceAll('_', ' ') ?? status}${listed}`;
}

const span = (dates: readonly string[]): string =>
  dates.length === 1 ? `${dates[0]}` : `${dates.length} nights, ${dates[0]} to ${dates.at(-1)}`;

function readNights({ config, runs, clock }: Base, asked: number | null) {
  return Promise.all(
    config.regions.map(async (region) => {
      const tonight = localDate(clock.now(), regions[region].timeZone);
      const open = await runs.openOf(region);
      // Tonight's run is open, so no night can be added before it.
      if (open && open.snapshotDate >= tonight) return { region, played: [], missed: [] };
      const last = await runs.lastKeptNight(region);
      const most = asked ?? (last === null ? defaultNights : datesBetween(last, tonight).length);
      const { played, missed } = nightsToPlay({ tonight, last, most });
      return { region, played: open ? [open.snapshotDate, ...played] : played, missed };
    }),
  );
}
