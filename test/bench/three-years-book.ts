import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compose } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/client.ts';
import { deriveNights, forgetDerived } from '../../src/derive/derive-nights.ts';
import { createLog } from '../../src/log.ts';
import { withBook } from './book.ts';
import type { Bench } from './figure.ts';
import { createNightClock } from './night-clock.ts';
import { addThreeYears, historyBegins, lastNight } from './three-years.ts';
import { startUpstream } from './upstream.ts';

/** A book of three years, derived. */
export interface ThreeYearsBook {
  readonly db: Database;
  /** How long it took to derive all its nights. */
  readonly derived: { readonly nights: number; readonly seconds: number };
}

/** What a folder says of the book in it. */
interface Kept {
  readonly items: number;
  readonly derived: ThreeYearsBook['derived'];
}

/** Opens the book of three years that was kept, or makes one: a night crawled, its past added, everything derived. */
export async function withThreeYears<Result>(
  { items, say, book }: Bench,
  use: (book: ThreeYearsBook) => Promise<Result>,
): Promise<Result> {
  const home = book === undefined ? undefined : resolve(book);
  const note = home && join(home, 'three-years.json');
  if (home && note && existsSync(note)) {
    const kept = JSON.parse(readFileSync(note, 'utf8')) as Kept;
    if (kept.items !== items) throw new Error(`the book in ${home} has ${kept.items} products, not ${items}`);
    return withKept(home, (db) => use({ db, derived: kept.derived }));
  }
  if (home) mkdirSync(home, { recursive: true, mode: 0o755 });
  const upstream = await startUpstream({ items, evolve: false });
  try {
    return await withBook({ upstream, date: lastNight, home }, async ({ base: { db }, night }) => {
      await night(lastNight);
      say(`three years: ${await addThreeYears(db)}`);
      const derived = await deriveAll(db, say);
      await db.query('vacuum (analyze)');
      if (note) writeFileSync(note, JSON.stringify({ items, derived } satisfies Kept));
      return use({ db, derived });
    });
  } finally {
    await upstream.close();
  }
}

async function deriveAll(db: Database, say: Bench['say']): Promise<ThreeYearsBook['derived']> {
  // The night that was crawled is derived as the last of three years, not as the first of one.
  await db.tx((tx) => forgetDerived(tx, 'uk', historyBegins.date));
  let nights = 0;
  const startedAt = performance.now();
  for (const region of ['uk', 'ie'] as const) {
    nights += await deriveNights(db, region, {
      onDerived: (some) => say(`${region}: derived to ${some.at(-1)?.snapshotDate}`),
    });
  }
  return { nights, seconds: (performance.now() - startedAt) / 1_000 };
}

/** Only PostgreSQL: nothing is crawled. What the schema and the rules have become since is made up for first. */
async function withKept<Result>(home: string, use: (db: Database) => Promise<Result>): Promise<Result> {
  const config = loadConfig(
    { PRICEBOOK_HOME: home, GROCERY_BASE_URL: 'http://127.0.0.1:1', GROCERY_KEY: 'bench' },
    { cwd: home },
  );
  const base = await compose(config, {
    clock: createNightClock(lastNight),
    log: createLog({ level: 'error' }),
    name: 'bench',
  });
  try {
    for (const region of ['uk', 'ie'] as const) await deriveNights(base.db, region);
    return await use(base.db);
  } finally {
    await base.close();
  }
}
