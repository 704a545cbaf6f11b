import { createHmac } from 'node:crypto';
import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';

/** Tells one key from another without telling either: what is stored of a key that was refused or whose quota is used up. */
export function keyPrint(listing: string, key: string): string {
  return createHmac('sha256', `pricebook key of ${listing}`).update(key).digest('hex').slice(0, 16);
}

/** Whether another key than this one was answered lately: others go on with it. */
export async function isOtherKeyAnswered(
  sql: Askable,
  { listing, print, now }: { listing: string; print: string; now: Date },
): Promise<boolean> {
  const rows = await rowsOf(
    sql,
    `select from ops.listing_health
     where listing = $1 and ok_key <> $2 and not refused_keys ? ok_key
       and last_ok_at > $3::timestamptz - interval '${latelyMinutes} minutes'`,
    [listing, print, now],
  );
  return rows.length > 0;
}

const latelyMinutes = 10;
