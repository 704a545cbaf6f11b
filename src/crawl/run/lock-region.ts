import type { Queryable } from '../../db/client.ts';

/**
 * Nobody else opens, publishes or replays a run of the region until the transaction ends. Rows and tables are locked,
 * not advisory keys: those can be taken by everybody who may connect.
 */
export async function lockRegion(tx: Queryable, region: string): Promise<void> {
  await tx.query('select from catalog.region where region = $1 for no key update', [region]);
}
