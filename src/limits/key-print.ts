import { createHmac } from 'node:crypto';
import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';

/** Tells one key from another without telling either: what is stored of a key that was refused or whose quota is used up. */
export function keyPrint(listing: string, key: string): string {
  return createHmac('sha256', `pricebook key of ${listing}`).update(key).digest('hex').slice(0, 16);
}

/**
 * Whether a living process asks with another key, of which nobody knows that it is refused or that its quota is used up: it goes on
 * with the runs.
 */
export async function isOtherKeyAtWork(
  sql: Askable,
  { listing, print, now }: { listing: string; print: string; now: Date },
): Promise<boolean> {
  const rows = await rowsOf(
    sql,
    `select from ops.worker w
     where w.key <> $2 and w.alive_until > clock_timestamp() and not exists (
       select from ops.listing_health h
       where h.listing = $1 and (
         h.refused_keys ? w.key
         or h.quota_key = w.key and (
           h.state = 'quota' and coalesce(h.paused_until > $3, true)
           or h.quota_remaining <= 0 and coalesce(h.quota_resets_at, h.quota_seen_at + interval '1 hour') > $3)))
     limit 1`,
    [listing, print, now],
  );
  return rows.length > 0;
}
