import { setTimeout as sleep } from 'node:timers/promises';
import { composePruning } from '../../src/app/compose.ts';
import { AccessDenied, PricebookError } from '../../src/base/errors.ts';
import { crawlNights } from '../../src/cli/crawl-nights.ts';
import { daysAfter } from '../bench/night-clock.ts';
import { type Difference, differences, inWords } from '../support/truth.ts';
import type { Harm, SoakNight } from './draw-night.ts';
import type { PlayedNight } from './logbook.ts';
import { maxDetails, region, type Site } from './site.ts';

/** The date of the first night. */
export const firstDate = '2026-01-01';
/** What is not over by then never will be. */
const mostAttempts = 40;

export interface Course {
  readonly night: number;
  readonly plan: SoakNight;
  /** How long a night takes, about: harms come at their share of it. */
  readonly usualSeconds: number;
}

/** Crawls a night through its faults until its run is published or held, then prunes as every day. */
export async function playNight(
  site: Site,
  { night, plan, usualSeconds }: Course,
): Promise<Omit<PlayedNight, 'session' | 'sample'>> {
  const date = daysAfter(firstDate, night);
  site.clock.set(new Date(`${date}T03:00:00Z`));
  await site.upstream.change({ date, faults: plan.faults.map(leadingNowhere) });
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const over = new AbortController();
  const harming = Promise.all(
    plan.harms.map(async ({ what, at, forMs }) => {
      const isDue = await sleep(at * usualSeconds * 1_000, true, { signal: over.signal }).catch(() => false);
      if (isDue) await harm(site, what, forMs);
      return isDue ? what : null;
    }),
  );
  const { attempts, verdict, productsListed } = await crawl(site, date);
  over.abort();
  const harmed = (await harming).filter((what) => what !== null);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);

  const struck: Record<string, number> = {};
  for (const { kind, fired } of (await site.upstream.state()).faults) {
    if (fired > 0) struck[kind] = (struck[kind] ?? 0) + fired;
  }
  for (const what of harmed) struck[what] = (struck[what] ?? 0) + 1;
  const { config } = site.base;
  await composePruning(site.base)(config.archiveDays);
  return {
    night,
    date,
    classes: plan.classes,
    struck,
    attempts,
    verdict,
    productsListed: productsListed ?? 0,
    seconds,
    cpuSeconds: (user + system) / 1e6,
  };
}

/** A night held against what the upstream showed. */
export interface Comparison {
  /** Products that are not as they were, or not there, or too many. */
  readonly differences: number;
  /**
   * Products that a category shows where it is not known yet: of one that only repeats others a few listings may be
   * learnt later.
   */
  readonly learntLater: number;
  /** The first difference in words. */
  readonly first: string | null;
}

export async function compareWithTruth({ db, upstream }: Site, night: number): Promise<Comparison> {
  const date = daysAfter(firstDate, night);
  const found = await differences(db, await upstream.truth(region, date), region, date);
  const wrong = found.filter((difference) => !lacksCategoriesOnly(difference));
  return {
    differences: wrong.length,
    learntLater: found.length - wrong.length,
    first: wrong[0] ? inWords(wrong[0], `${region} ${date}`) : null,
  };
}

function lacksCategoriesOnly({ known, expected }: Difference): boolean {
  if (!known || !expected) return false;
  const isSame = JSON.stringify({ ...known, categories: [] }) === JSON.stringify({ ...expected, categories: [] });
  return isSame && known.categories.every((category) => expected.categories.includes(category));
}

async function crawl(site: Site, date: string) {
  const { base, db } = site;
  const { signal } = new AbortController();
  for (let attempts = 1; ; attempts += 1) {
    try {
      await crawlNights(base, site.crawler, { regions: [region], maxDetails, signal, lookEveryMs: 50 });
      const { rows } = await db.query<{ verdict: string; productsListed: number | null }>(
        `select case status when 'published' then verdict::text else status::text end as verdict, products_listed as "productsListed"
         from ops.run where snapshot_date = $1 order by run_id desc limit 1`,
        [date],
      );
      return { attempts, ...rows[0]! };
    } catch (error) {
      if (!(error instanceof PricebookError) || attempts === mostAttempts) throw error;
      await sleep(150);
      // A key that was refused is tried again by whoever starts anew only.
      if (error instanceof AccessDenied || attempts % 5 === 0) await site.startAgain();
    }
  }
}

async function harm(site: Site, what: Harm, forMs: number): Promise<void> {
  if (what === 'lose queue') return site.loseQueue();
  const link = what.endsWith('upstream') ? site.links.upstream : site.links.database;
  if (what.startsWith('refuse')) {
    link.set('refuse');
    await sleep(forMs);
    link.set('pass');
  }
  link.cut();
}

/** A redirect leads to a port where nobody listens. */
function leadingNowhere(rule: SoakNight['faults'][number]): SoakNight['faults'][number] {
  return rule.kind === 'redirect' ? { ...rule, location: 'http://127.0.0.1:9/' } : rule;
}
