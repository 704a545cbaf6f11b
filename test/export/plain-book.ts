import type { Database } from '../../src/db/client.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { certify } from './lake.ts';

/** A random book of more nights than the window of GEKS has days, with nested categories, derived and certified. */
export async function fillPlainBook(db: Database): Promise<void> {
  await fillRandomBook(db, { seed: 11, first: '2026-01-20', runs: 42, products: 30, isPlain: true });
  await nameByPath(db);
  await certify(db);
  await deriveNights(db, 'uk');
}

/** Gives the nested categories of a random book paths as the crawl writes them. */
export async function nameByPath(db: Database): Promise<void> {
  for (const depth of [1, 2])
    await db.query(
      `update catalog.category c set path = above.path || ' > ' || c.name
       from catalog.category above where above.category_key = c.parent_key and c.depth = $1`,
      [depth],
    );
}
