import { createHmac } from 'node:crypto';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/**
 * Tells one key from another without telling either: what is stored of a key that was refused or whose quota is used
 * up.
 */
export function keyPrint(listing: string, key: string): string {
  return createHmac('sha256', `pricebook key of ${listing}`).update(key).digest('hex').slice(0, 16);
}

/**
 * Whether a living process asks with another key, of which nobody knows that it is refused or that its quota is used
 * up: it goes on with the runs.
 */
export async function isOtherKeyAtWork(
  sql: Askable,
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
