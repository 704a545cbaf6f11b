import type { Queryable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { CategoryOutsideTaxonomy } from '../source/normalise/category-outside-taxonomy.ts';

/** Parameters of a publication. */
export interface Night {
  readonly runId: number;
  readonly isCertified: boolean;
  /**
   * Whether the evidence is partial, even if a user released the run: such a run cannot show which products left a
   * category, or which categories are gone.
   */
  readonly isPartial: boolean;
  /** Certified nights in a row without a product after which it is delisted. */
  readonly delistAfter: number;
  /** Ids of categories that fell short: none of their products is reported as gone. */
  readonly uncertain?: readonly string[];
  /** Ids of unseen products that are not proven gone: they stay unchanged. */
  readonly unconfirmed?: readonly string[];
  /** Categories that only breadcrumbs name, parents first. */
  readonly outsideTaxonomy?: readonly CategoryOutsideTaxonomy[];
}

/** Creates the temporary table `night` for the statements of a publication: one row with its parameters and results. */
export async function openNight(tx: Queryable, night: Night): Promise<void> {
  const { runId, isCertified, isPartial, delistAfter } = night;
  const { uncertain = [], unconfirmed = [], outsideTaxonomy = [] } = night;
  // Hash joins over a whole catalogue would spill to disk with the default of 4 MB. JIT compilation takes longer than
  // it saves.
  await tx.query(`
    set local work_mem = '64MB'; set local jit = off;
    create temporary table night (
      run_id int, region text, snapshot_date date, observed_at timestamptz, base_run_id int,
      is_certified bool, is_partial bool, delist_after int, doubted text[], unconfirmed text[], outside_taxonomy jsonb,
      -- Results of the statements: a table for each would cost more than everything else in a small night.
      replaced int[] default '{}', hash_before numeric default 0, content_hash numeric
    ) on commit drop`);
  await tx.query(
    `insert into night
     select run_id, region, snapshot_date, observed_at, base_run_id, $2, $3, $4, $5, $6, $7 from ops.run
     where run_id = $1`,
    [
      runId,
      isCertified,
      isPartial,
      delistAfter,
      uncertain,
      unconfirmed,
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

/** Number of products that the region lists after the merge. */
export async function countListed(tx: Queryable): Promise<ListedCounts> {
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
