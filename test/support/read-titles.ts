import { readTitle, titleColumnNames } from '../../src/crawl/stage/read-title.ts';
import type { Queryable } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';

/** Writes what the titles of products and their versions say, as publications do, after rows were written by hand. */
export async function readTitles(sql: Queryable): Promise<void> {
  for (const table of ['product', 'product_history']) {
    const titles = await rowsOf<{ title: string }>(sql, `select distinct title from catalog.${table}`);
    const read = titles.map(({ title }) => [title, ...readTitle(title)]);
    await sql.query(
      `update catalog.${table} p set (${titleColumnNames}) = (t.size, t.measure, t.pieces, t.name, t.key)
       from unnest($1::text[], $2::numeric[], $3::text[], $4::smallint[], $5::text[], $6::bigint[])
         as t (title, size, measure, pieces, name, key)
       where p.title = t.title
         and (p.pack_size, p.pack_measure, p.pack_count, p.plain_name, p.match_key)
           is distinct from (t.size, t.measure, t.pieces, t.name, t.key)`,
      [0, 1, 2, 3, 4, 5].map((column) => read.map((row) => row[column])),
    );
  }
}
