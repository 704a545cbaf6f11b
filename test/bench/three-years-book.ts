import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compose } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { createLog } from '../../src/base/log.ts';
import type { Database } from '../../src/db/client.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { withBook } from './book.ts';
import type { Bench } from './figure.ts';
import { createNightClock } from './night-clock.ts';
import { addThreeYears, historyBegins, lastNight } from './three-years.ts';
import { startUpstream } from './upstream.ts';

/** Opens the book of three years that was kept, or makes one: a night crawled, its past added, everything derived. */
export async function withThreeYears<Result>(
  { items, say, book }: Bench,
  use: (book: { readonly db: Database }) => Promise<Result>,
): Promise<Result> {
  const home = book === undefined ? undefined : resolve(book);
  if (home && existsSync(noteIn(home))) return withKept(home, { items, say }, use);
  if (home) mkdirSync(home, { recursive: true, mode: 0o755 });
  const upstream = await startUpstream({ items, evolve: false });
  try {
    return await withBook({ upstream, date: lastNight, home }, async ({ base: { db }, night }) => {
      await night(lastNight);
      say(`three years: ${await addThreeYears(db)}`);
      // The night that was crawled is derived as the last of three years, not as the first of one.
      await db.tx((tx) => forgetDerived(tx, 'uk', historyBegins.date));
      // From here on another process can go on with it.
      if (home) writeFileSync(noteIn(home), JSON.stringify({ items }));
      await deriveOwed(db, say);
      return use({ db });
    });
  } finally {
    await upstream.close();
  }
}

const noteIn = (home: string): string => join(home, 'three-years.json');

async function deriveOwed(db: Database, say: Bench['say']): Promise<void> {
  let nights = 0;
  for (const region of ['uk', 'ie'] as const) {
    nights += await deriveNights(db, region, {
      nightsAtOnce: 20,
      onDerived: (some) => say(`${region}: derived to ${some.at(-1)?.snapshotDate}`),
    });
  }
  if (nights > 0) await db.query('vacuum (analyze)');
}

/** Starts only PostgreSQL and crawls nothing. Applies changes of the schema and the derivation rules first. */
async function withKept<Result>(
  home: string,
  { items, say }: Pick<Bench, 'items' | 'say'>,
  use: (book: { readonly db: Database }) => Promise<Result>,
): Promise<Result> {
  const kept = JSON.parse(readFileSync(noteIn(home), 'utf8')) as { items: number };
  if (kept.items !== items) throw new Error(`the book in ${home} has ${kept.items} products, not ${items}`);
  const config = loadConfig(
    { PRICEBOOK_HOME: home, GROCERY_BASE_URL: 'http://127.0.0.1:1', GROCERY_KEY: 'bench' },
    { cwd: home },
  );
  const clock = createNightClock(lastNight);
  const base = await compose(config, { clock, log: createLog({ level: 'error' }), name: 'bench' });
  try {
    await deriveOwed(base.db, say);
    return await use({ db: base.db });
  } finally {
    await base.close();
  }
}
