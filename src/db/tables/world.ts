import { sql } from 'drizzle-orm';
import { boolean, check, integer, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** `simulated`: the supermarket that the program invents; `live`: a listing at its address. */
export const worldKind = ops.enum('world_kind', ['simulated', 'live']);

/** The one world this database's book is about; its only row is written by the first command that crawls. */
export const world = ops.table(
  'world',
  {
    isOnly: boolean().primaryKey().default(true),
    kind: worldKind().notNull(),
    /** Of a simulated world: its seed, and its products a region. */
    seed: integer(),
    items: integer(),
    /** Of a live one: the listing, where it is asked, and the host the gateway knows it by. */
    listing: text(),
    baseUrl: text(),
    host: text(),
    recordedAt: instant().notNull(),
    /** Tells databases of the same world apart, whose keys are not the same; a copy has that of its original. */
    bookId: uuid().notNull().defaultRandom(),
  },
  (t) => [
    check('world_is_one', sql`${t.isOnly}`),
    check(
      'world_is_whole',
      sql`case ${t.kind} when 'simulated' then num_nonnulls(${t.seed}, ${t.items}) = 2 else num_nonnulls(${t.listing}, ${t.baseUrl}, ${t.host}) = 3 end`,
    ),
  ],
);
