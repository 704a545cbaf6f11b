import { createHmac } from 'node:crypto';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/**
 * Fingerprint that identifies a key without revealing it; stored for keys that were refused or whose quota is used up.
 */
export function keyPrint(listing: string, key: string): string {
  return createHmac('sha256', `pricebook key of ${listing}`).update(key).digest('hex').slice(0, 16);
}

/** Whether a live process uses another key that is neither refused nor out of quota, and so continues the runs. */
export async function isOtherKeyAtWork(
  sql: Queryable,
  { listing, print, now }: { listing: string; print: string; now: Date },
): Promise<boolean> {
  const rows = await rowsOf(
    sql,
    `select from ops.worker w
     where w.key <> $2 and w.alive_until > clock_timestamp() and not exists (
       select from ops.stop s
       where s.scope = 'key' and s.listing = $1 and s.scope_id = w.key and coalesce(s.until > $3, true))
     limit 1`,
    [listing, print, now],
  );
  return rows.length > 0;
}
