import { sql } from 'drizzle-orm';
import { boolean, check, integer, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** `simulated`: the program's own simulated supermarket; `live`: a listing at its address. */
export const worldKind = ops.enum('world_kind', ['simulated', 'live']);

/** The single world that this database belongs to; its only row is written by the first command that crawls. */
export const world = ops.table(
  'world',
  {
    isOnly: boolean().primaryKey().default(true),
    kind: worldKind().notNull(),
    /** For a simulated world: its seed, and the number of products per region. */
    seed: integer(),
    items: integer(),
    /** For a live world: the listing, its base URL, and its host name at the gateway. */
    listing: text(),
    baseUrl: text(),
    host: text(),
    recordedAt: instant().notNull(),
    /** Distinguishes databases of the same world, whose keys differ; a copy has the id of its original. */
    bookId: uuid().notNull().defaultRandom(),
  },
  (t) => [
    check('world_is_one', sql`${t.isOnly}`),
    check(
      'world_is_whole',
      sql`case ${t.kind}
            when 'simulated' then num_nonnulls(${t.seed}, ${t.items}) = 2
            else num_nonnulls(${t.listing}, ${t.baseUrl}, ${t.host}) = 3
          end`,
    ),
  ],
);
