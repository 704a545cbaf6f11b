import { readFileSync } from 'node:fs';
import type { Transaction } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { categoriesOutsideTaxonomy } from '../source/normalise/category-outside-taxonomy.ts';

/** Text of a SQL file of this folder. A line `\i other.sql` stands for another file, as in psql. */
export function sqlFile(name: string): string {
  const text = readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8');
  return text.replaceAll(/^\\i (\S+)\.sql$/gm, (_, other: string) => sqlFile(other));
}

/**
 * Fills the temporary table `night` for evidence and publication: one row with the run, results, and what was decided:
 * whether products can be gone by it, and after how many certified nights in a row without it a product is delisted.
 */
export async function fillNight(
  tx: Transaction,
  { runId, isCertified, delistAfter }: { runId: number; isCertified: boolean; delistAfter: number },
): Promise<void> {
  // Hash joins over a whole catalogue would spill to disk with the default of 4 MB.
  await tx.query(`
    set local work_mem = '64MB';
    create temporary table if not exists night (
      run_id int, region text, snapshot_date date, observed_at timestamptz, base_run_id int, is_certified bool,
      delist_after int, outside_taxonomy jsonb, hash_before numeric, content_hash numeric,
      products_listed int, products_available int, changed int
    ) on commit drop;
    truncate night`);
  await tx.query(
    `insert into night
     select run_id, region, snapshot_date, observed_at, base_run_id, $2, $3, $4 from ops.run where run_id = $1`,
    [runId, isCertified, delistAfter, JSON.stringify(await readOutsideTaxonomy(tx, runId))],
  );
}

/** Categories outside the taxonomy that breadcrumbs name or that were requested, with those above them. */
async function readOutsideTaxonomy(tx: Transaction, runId: number): Promise<object[]> {
  const named = await rowsOf<{ id: string }>(
    tx,
    `select leaf_id as id from stage.product where run_id = $1 and leaf_id is not null
     union
     select category_id from ops.category_crawl c where run_id = $1 and not exists (
       select from stage.category s where s.run_id = c.run_id and s.category_id = c.category_id)
     order by id`,
    [runId],
  );
  return categoriesOutsideTaxonomy(named.map(({ id }) => id));
}
