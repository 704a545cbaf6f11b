import type { RegionCode } from '../../base/model/index.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { forgetWithNightBefore } from '../derive/derive-nights.ts';

/** As `forgetWithNightBefore`; extra fields of the nights are read again as well. */
export async function forgetWithExtraNights(tx: Transaction, region: RegionCode, from: string): Promise<string> {
  await tx.query('delete from derived.extra_night where region = $1 and snapshot_date >= $2', [region, from]);
  return forgetWithNightBefore(tx, region, from);
}

/** Deletes the values of a field. Returns whether there was such a field. */
export async function forgetExtraField(db: Pick<Database, 'tx'>, name: string): Promise<boolean> {
  return db.tx(async (tx) => {
    // Waits for a process that fills a night.
    await tx.query('lock table derived.extra_night in share row exclusive mode');
    await tx.query('delete from derived.extra_value where name = $1', [name]);
    await tx.query('delete from derived.extra_night where name = $1', [name]);
    return (await tx.query('delete from derived.extra_field where name = $1', [name])).rowCount === 1;
  });
}
