import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { CategoryOutsideTaxonomy } from '../normalise/category-outside-taxonomy.ts';

/** How a night is merged. */
export interface Night {
  readonly runId: number;
  readonly isCertified: boolean;
  /** Partial by its evidence, also where a person released it: it cannot tell what has left a category, or which categories are gone. */
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

/** Makes what every statement of a publication reads: the temporary tables `night`, `doubted`, `unconfirmed` and `outside_taxonomy`. */
export async function openNight(tx: Askable, night: Night): Promise<void> {
  const { runId, isCertified, isPartial, delistAfter, isDelistingConfirmed = false } = night;
  const { uncertain = [], unconfirmed = [], outsideTaxonomy = [] } = night;
  // Hash joins over a whole catalogue; the default 4 MB would spill each of them to disk.
  await tx.query(`set local work_mem = '64MB'`);
  await tx.query(
    'create temporary table night (run_id int, region text, snapshot_date date, observed_at timestamptz, is_certified bool, is_partial bool, delist_after int, is_delisting_confirmed bool) on commit drop',
  );
  await tx.query(
    `insert into night select run_id, region, snapshot_date, observed_at, $2, $3, $4, $5 from ops.run where run_id = $1`,
    [runId, isCertified, isPartial, delistAfter, isDelistingConfirmed],
  );
  await tx.query('create temporary table doubted (category_id text) on commit drop');
  await tx.query('insert into doubted select unnest($1::text[])', [uncertain]);
  await tx.query('create temporary table unconfirmed (product_id text) on commit drop');
  await tx.query('insert into unconfirmed select unnest($1::text[])', [unconfirmed]);
  await tx.query(
    'create temporary table outside_taxonomy (category_id text, parent_id text, name text, depth smallint, path text) on commit drop',
  );
  await tx.query(
    'insert into outside_taxonomy select * from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[])',
    [
      outsideTaxonomy.map(({ categoryId }) => categoryId),
      outsideTaxonomy.map(({ parentId }) => parentId),
      outsideTaxonomy.map(({ name }) => name),
      outsideTaxonomy.map(({ depth }) => depth),
      outsideTaxonomy.map(({ path }) => path),
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
    `select count(*)::int as "productsListed", (count(*) filter (where h.availability = 'available'))::int as "productsAvailable"
     from night
     join catalog.product p on p.region = night.region
     join catalog.availability_history h on h.product_key = p.product_key and h.valid_to is null
     where h.availability in ('available', 'unavailable')`,
  );
  return counted!;
}
