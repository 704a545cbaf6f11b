/**
 * One table's part of a publication: statements run in order, in the one transaction, over the temporary tables
 * `night` (one row: run_id, region, observed_at, is_certified, delist_after), `unchanged_observation` (a row a product on a page that
 * the catalogue knows as it was shown there) and `winner` (a row a product that is new or changed, see winner.ts).
 */
export interface Step {
  readonly name: string;
  readonly statements: readonly string[];
}
