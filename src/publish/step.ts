/**
 * One table's part of a publication: statements run in order, in the one transaction, over the temporary tables
 * `night` (one row: run_id, region, snapshot_date, observed_at, is_certified, is_partial, delist_after, is_delisting_confirmed), `doubted`
 * (category_id: categories that fell short), `outside_taxonomy` (category_id, parent_id, name, depth, path: categories that only
 * breadcrumbs name), `unchanged_observation` (product_key, category_no, page_no: products on a page that the catalogue knows as
 * they were shown there) and `winner` (a row a product that is new or changed, see winner.ts).
 */
export interface Step {
  readonly name: string;
  readonly statements: readonly string[];
}
