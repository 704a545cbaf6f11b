import { createHmac } from 'node:crypto';
import type { Queryable } from '../../db/client.ts';
import type { stopReason, stopScope } from '../../db/tables/listings.ts';
import type { StopPolicy } from '../policy.ts';

export type StopReason = (typeof stopReason.enumValues)[number];

/** Fingerprint of a key for one listing, which does not reveal it: the scope of its stops. */
export function keyPrint(listing: string, key: string): string {
  return `${listing}:${createHmac('sha256', `pricebook key of ${listing}`).update(key).digest('hex').slice(0, 16)}`;
}

/** A pause of everything in its scope, by the database's clock. */
interface Stop {
  readonly scope: (typeof stopScope.enumValues)[number];
  /** Fingerprint of a key, name of a listing, or id of a run. */
  readonly scopeId: string;
  readonly reason: StopReason;
  /** One line, without a key. */
  readonly detail: string | null;
  readonly forMs: number;
}

/** Begins a stop, or replaces the one in force. */
export async function startStop(sql: Queryable, { scope, scopeId, reason, detail, forMs }: Stop): Promise<void> {
  await sql.query(
    `insert into ops.stop (scope, scope_id, reason, detail, since, until)
     values ($1, $2, $3, $4, ops.clock(), ops.clock() + $5::float8 * interval '1 ms')
     on conflict (scope, scope_id) do update set
       reason = excluded.reason, detail = excluded.detail, since = excluded.since, until = excluded.until,
       probe_until = null`,
    [scope, scopeId, reason, detail, forMs],
  );
}

export async function endStop(sql: Queryable, scope: Stop['scope'], scopeId: string): Promise<void> {
  await sql.query('delete from ops.stop where scope = $1 and scope_id = $2', [scope, scopeId]);
}

/** Lets the next request of each listing probe its stops, because a person knows that something has changed. */
export async function probeNow(sql: Queryable, listings: readonly string[]): Promise<void> {
  await sql.query(`update ops.stop set until = least(until, ops.clock()) where ${isOf}`, [listings]);
}

/** Ends the stops of a listing and of all of its keys. */
export async function endStopsOf(sql: Queryable, listing: string): Promise<void> {
  await sql.query(`delete from ops.stop where ${isOf}`, [[listing]]);
}

/** The scope of a key begins with its listing. */
const isOf = "scope <> 'run' and split_part(scope_id, ':', 1) = any ($1)";
const probed = `(scope, scope_id) in (('listing', $1), ('key', $2))`;
const freeProbe = `update ops.stop set probe_until = null where ${probed}`;

interface Probed {
  readonly listing: string;
  /** Fingerprint of the key that was used. */
  readonly key: string;
}

/**
 * Begins the stop that follows from a failure. One in force changes only if its own probe failed: requests that were
 * under way when it began are the same trouble. Each failed probe doubles the pause, unless the response states one.
 */
export async function lengthenStop(
  sql: Queryable,
  { scope, reason, firstMs, maxMs }: StopPolicy,
  stopped: Probed & { readonly isProbe: boolean; readonly detail: string | null; readonly waitMs: number | null },
): Promise<void> {
  const { listing, key, isProbe, detail, waitMs } = stopped;
  await sql.query(
    `with probed as (${freeProbe} and $5 and (scope, scope_id) <> ($3, $4))
     insert into ops.stop as s (scope, scope_id, reason, detail, since, until)
     values ($3, $4, $6, $7, ops.clock(), ops.clock() + coalesce($8, $9::float8) * interval '1 ms')
     on conflict (scope, scope_id) do update set
       reason = excluded.reason, detail = excluded.detail, times = s.times + 1, probe_until = null,
       until = ops.clock() + greatest($8, least($9 * 2 ^ (s.times + 1), $10::float8)) * interval '1 ms'
     where $5`,
    [listing, key, scope, scope === 'key' ? key : listing, isProbe, reason, detail, waitMs, firstMs, maxMs],
  );
}

/** Ends the stops of a listing and a key, because their probe was answered. */
export async function endProbed(sql: Queryable, { listing, key }: Probed): Promise<void> {
  await sql.query(`delete from ops.stop where ${probed}`, [listing, key]);
}

/** Ends a probe that says nothing; another may follow at once. */
export async function endProbe(sql: Queryable, { listing, key }: Probed): Promise<void> {
  await sql.query(freeProbe, [listing, key]);
}
