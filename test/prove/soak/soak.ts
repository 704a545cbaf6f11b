import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crawlJobs } from '../../../jobs/index.ts';
import { type Base, type Crawler, compose, composeCrawler, composePruning } from '../../../src/app/compose.ts';
import { loadConfig } from '../../../src/app/config.ts';
import { clockFrom, type PlayedClock } from '../../../src/base/clock.ts';
import { AccessDenied, PricebookError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { crawlNights } from '../../../src/cli/crawl-nights.ts';
import { rowsOf } from '../../../src/db/rows.ts';
import { verifyNights } from '../../../src/followers/audits/verify.ts';
import { simulatorHosts } from '../../../src/simulator/index.ts';
import { daysAfter } from '../../bench/night-clock.ts';
import { createChance } from '../../support/chance.ts';
import { brokenInvariants } from '../../support/invariants.ts';
import { compareNight } from '../compare-night.ts';
import type { Ground } from '../ground.ts';
import { bringAbout } from '../mishaps.ts';
import type { Course, Profile, Settings, Trial } from '../profile.ts';
import { openSite, type Site } from '../site.ts';
import { drawNight, type SoakNight } from './draw-night.ts';
import { takeSample } from './sample.ts';

/**
 * One process that plays night after night with faults switched on and off. Memory, connections and bytes kept are
 * measured, certified nights are rebuilt and compared with the truth.
 */
export const soak: Profile = { count: 1_000, parallel: 1, variants: [], begin: (...given) => openSoak(...given) };

const items = 3_000;
/** One region: two would cost twice as much and fill the same memory and tables. */
const region = 'uk';
/** Of each night: enough that details come and go, too. */
const maxDetails = 20;
const firstDate = '2026-01-01';
/** A night that is not over by then never will be. */
const mostAttempts = 40;
const verifyEvery = 50;
/** Older nights that are rebuilt whenever one is compared with the truth; all of them are in the end. */
const rebuilt = 20;

/** A trial is a night and continues the previous one. `products`: size of the catalogue. */
export async function openSoak(ground: Ground, { count, seed: first }: Settings, products = items): Promise<Course> {
  const site = await openSite(ground, {
    upstream: { items: products, seed: first },
    links: ['upstream', 'database'],
    env: { GROCERY_HOST: simulatorHosts.grocery },
  });
  const book = await openBook(site);
  /** Nights that were the truth when they were compared with it. */
  const trueNights: number[] = [];
  let usualRequests = 100;
  let keptBefore = 0;

  return {
    async play(seed) {
      const night = seed - first;
      const plan = drawNight(first, night, Math.min(verifyEvery, Math.max(1, count >> 1)));
      const { verdict, attempts, productsListed, fired } = await playNight(site, book, night, plan, usualRequests);
      if (plan.classes.length === 0) usualRequests = site.simulator.log().total;
      const broken = plan.isVerified ? await compareWithTruth(night, verdict) : [];
      if (plan.isVerified || night === count - 1) {
        broken.push(...(await audit(site, book.clock.now(), night === count - 1 ? undefined : rebuilt)));
      }
      broken.push(...book.errors.splice(0).map((line) => `logged: ${line.trim()}`));
      const { kept, ...sample } = await takeSample(site.db, join(site.home, 'archive'));
      const grown = (kept - keptBefore) / Math.max(1, productsListed);
      keptBefore = kept;
      return {
        seed,
        kind: plan.classes.join(' + ') || 'calm',
        broken,
        counts: {
          verdicts: { [verdict]: 1 },
          nights: { played: 1, attempts, 'compared with the truth': plan.isVerified ? 1 : 0 },
          faults: fired,
        },
        figures: {
          ...Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, [value]])),
          ...(night > 0 ? { 'bytes kept in PostgreSQL a product-night': [grown] } : {}),
        },
      } satisfies Trial;
    },
    async close() {
      await book.close();
      await site.close();
    },
  };

  /** A calm night is certified and the truth, and so is one before it that was found true. */
  async function compareWithTruth(night: number, verdict: string): Promise<string[]> {
    const broken: string[] = [];
    if (!verdict.startsWith('complete')) broken.push(`the night was calm and came out as ${verdict}`);
    const { wrong, lackingListings } = await compareNight(site.db, site.simulator, region, daysAfter(firstDate, night));
    broken.push(...wrong.slice(0, 3));
    if (verdict === 'complete') broken.push(...lackingListings.slice(0, 3));
    if (trueNights.length > 0) {
      const older = daysAfter(firstDate, createChance(night).pick(trueNights));
      const again = await compareNight(site.db, site.simulator, region, older);
      broken.push(...again.wrong.slice(0, 3).map((line) => `an older night, ${line}`));
    }
    if (wrong.length === 0) trueNights.push(night);
    return broken;
  }
}

/** What `pricebook certify --verify` does, and every invariant. */
async function audit({ db }: Site, now: Date, sample: number | undefined): Promise<string[]> {
  const verified = await verifyNights(db, { sample, seed: now.toISOString(), now });
  const changed = verified.filter(({ isSame }) => !isSame);
  return [
    ...changed.map(({ snapshotDate }) => `${snapshotDate} no longer reads as it was certified`),
    ...(await brokenInvariants(db)),
  ];
}

/** The program at work in this process. */
interface Book {
  readonly base: Base;
  readonly crawler: Crawler;
  /** Ends the crawler and starts another in the same process, as a command does that is given again. */
  startAgain(): Promise<void>;
  readonly clock: PlayedClock;
  /** Errors that the program logged since the last call. */
  readonly errors: string[];
  close(): Promise<void>;
}

async function openBook(site: Site): Promise<Book> {
  const errors: string[] = [];
  const clock = clockFrom(new Date(`${firstDate}T03:00:00Z`));
  const log = createLog({ level: 'error', to: { write: (line: string) => void errors.push(line) } });
  const base = await compose(loadConfig(site.env, { cwd: site.home }), { clock, log, name: 'soak' });
  const openCrawler = () =>
    composeCrawler(base, {
      maxDetails,
      jobs: crawlJobs,
      requeueAfterMs: 3_000,
      firstRestMs: 50,
      // Faults are put in on purpose and judged by what becomes of the night.
      despiteDrift: true,
    });
  let crawler = await openCrawler();
  return {
    base,
    get crawler() {
      return crawler;
    },
    async startAgain() {
      await crawler.close(5_000);
      crawler = await openCrawler();
    },
    clock,
    errors,
    async close() {
      await crawler.close(5_000);
      await base.close();
    },
  };
}

interface PlayedNight {
  /** Of its certificate; `held` or `abandoned` when it was not published. */
  readonly verdict: string;
  /** Commands it took: one, and one more each time the run had to wait. */
  readonly attempts: number;
  readonly productsListed: number;
  /** Faults and mishaps by kind, as often as they struck. */
  readonly fired: Readonly<Record<string, number>>;
}

/** Crawls a night through its faults until its run is published or held, then prunes as every day. */
async function playNight(
  site: Site,
  book: Book,
  night: number,
  plan: SoakNight,
  usualRequests: number,
): Promise<PlayedNight> {
  const date = daysAfter(firstDate, night);
  book.clock.set(new Date(`${date}T03:00:00Z`));
  site.simulator.resetLog();
  // A redirect leads to a closed port.
  const faults = plan.faults.map((rule) =>
    rule.kind === 'redirect' ? { ...rule, location: 'http://127.0.0.1:9/' } : rule,
  );
  site.simulator.change({ date, faults });
  const befallen = bringAbout(site, { crawl: null, workers: [] }, plan.mishaps, usualRequests);
  const played = await crawl(site, book, date);
  await befallen.stop();
  await composePruning(book.base)(book.base.config.archiveDays);
  const fired: Record<string, number> = {};
  for (const { kind, fired: times } of site.simulator.state().faults) {
    if (times > 0) fired[kind] = (fired[kind] ?? 0) + times;
  }
  for (const kind of befallen.fired) fired[kind] = (fired[kind] ?? 0) + 1;
  return { ...played, fired };
}

async function crawl(site: Site, book: Book, date: string): Promise<Omit<PlayedNight, 'fired'>> {
  const { signal } = new AbortController();
  for (let attempts = 1; ; attempts += 1) {
    try {
      await crawlNights(book.base, book.crawler, { regions: [region], maxDetails, signal });
      const [run] = await rowsOf<{ verdict: string; listed: number | null }>(
        site.db,
        `select case status when 'published' then verdict::text else status::text end as verdict,
           products_listed as listed
         from ops.run where snapshot_date = $1 order by run_id desc limit 1`,
        [date],
      );
      return { attempts, verdict: run!.verdict, productsListed: run!.listed ?? 0 };
    } catch (error) {
      if (!(error instanceof PricebookError) || attempts === mostAttempts) throw error;
      await sleep(150);
      // Only a new process tries a refused key again.
      if (error instanceof AccessDenied || attempts % 5 === 0) await book.startAgain();
    }
  }
}
