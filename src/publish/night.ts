import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { CategoryOutsideTaxonomy } from '../source/normalise/category-outside-taxonomy.ts';

/** How a night is merged. */
export interface Night {
  readonly runId: number;
  readonly isCertified: boolean;
  /**
   * Partial by its evidence, also where a person released it: it cannot tell what has left a category, or which
   * categories are gone.
   */
  readonly isPartial: boolean;
  /** Certified nights in a row without a product after which it is delisted. */
  readonly delistAfter: number;
  /** Delist only what its own page says is gone. */
  readonly isDelistingConfirmed?: boolean;
  /** Ids of categories that fell short: of what is theirs nothing is said to be gone. */
  readonly uncertain?: readonly string[];
  /** Ids of unseen products that nothing proves gone: they stay as they were. */
  readonly unconfirmed?: readonly string[];
  /** Categories that breadcrumbs name beside the taxonomy, parents first. */
  readonly outsideTaxonomy?: readonly CategoryOutsideTaxonomy[];
}

/**
 * Makes what every statement of a publication reads: the temporary tables `night`, `doubted`, `unconfirmed` and
 * `outside_taxonomy`.
 */
export async function openNight(tx: Askable, night: Night): Promise<void> {
  const { runId, isCertified, isPartial, delistAfter, isDelistingConfirmed = false } = night;
  const { uncertain = [], unconfirmed = [], outsideTaxonomy = [] } = night;
  // Hash joins over a whole catalogue: the default of 4 MB would spill each of them to disk. Compiling takes longer
  // than it saves.
  await tx.query(`set local work_mem = '64MB'; set local jit = off`);
  await tx.query(`
    create temporary table night (
      run_id int, region text, snapshot_date date, observed_at timestamptz, base_run_id int,
      is_certified bool, is_partial bool, delist_after int, is_delisting_confirmed bool
    ) on commit drop;
    create temporary table doubted (category_id text) on commit drop;
    create temporary table unconfirmed (product_id text) on commit drop;
    create temporary table outside_taxonomy (
      category_id text, parent_id text, name text, depth smallint, path text
    ) on commit drop`);
  await tx.query(
    `insert into night select run_id, region, snapshot_date, observed_at, base_run_id, $2, $3, $4, $5
     from ops.run where run_id = $1`,
    [runId, isCertified, isPartial, delistAfter, isDelistingConfirmed],
  );
  await tx.query('insert into doubted select unnest($1::text[])', [uncertain]);
  await tx.query('insert into unconfirmed select unnest($1::text[])', [unconfirmed]);
  await tx.query(
    'insert into outside_taxonomy select * from jsonb_to_recordset($1) as c (category_id text, parent_id text, name text, depth smallint, path text)',
    [
      JSON.stringify(
        outsideTaxonomy.map(({ categoryId, parentId, ...category }) => ({
          ...category,
          category_id: categoryId,
          parent_id: parentId,
        })),
      ),
    ],
  );
}

export interface ListedCounts {
  readonly productsListed: number;
  readonly productsAvailable: number;
}

/** What the region lists once the night is merged. */
export async function countListed(tx: Askable): Promise<ListedCounts> {
  const [counted] = await rowsOf<ListedCounts>(
    tx,
    `select count(*)::int as "productsListed",
       (count(*) filter (where c.availability = 'available'))::int as "productsAvailable"
     from catalog.product_current c
     join catalog.product p using (product_key)
     where p.region = (select region from night) and c.availability in ('available', 'unavailable')`,
  );
  return counted!;
}
