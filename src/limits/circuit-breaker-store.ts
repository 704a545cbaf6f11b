import type { Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { ListingName } from '../model/index.ts';
import { type BreakerEvent, type CircuitBreaker, closedBreaker, nextBreaker } from './circuit-breaker.ts';

/** Gathers what answers say about the listings' health until it is written for all processes. */
export interface CircuitBreakerStore {
  add(listing: ListingName, event: BreakerEvent): void;
  /** Writes what was gathered, each listing by itself; what could not be written stays gathered. */
  write(): Promise<void>;
}

export function createCircuitBreakerStore(
  db: Database,
  listings: Readonly<Record<ListingName, { readonly host: string }>>,
): CircuitBreakerStore {
  let gathered = new Map<ListingName, BreakerEvent[]>();

  return {
    add(listing, event) {
      const events = gathered.get(listing) ?? [];
      gathered.set(listing, events);
      // Of successes in a row the last says it all.
      const last = events.at(-1);
      if (last && !last.isTrial && last.outcome.kind === 'ok' && event.outcome.kind === 'ok' && last.key === event.key)
        events.pop();
      events.push(event);
    },

    async write() {
      const writing = gathered;
      gathered = new Map();
      const failures: unknown[] = [];
      for (const [listing, events] of writing) {
        try {
          await apply(listing, events);
        } catch (error) {
          gathered.set(listing, [...events, ...(gathered.get(listing) ?? [])]);
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };

  async function apply(listing: ListingName, events: readonly BreakerEvent[]): Promise<void> {
    const { host } = listings[listing];
    await db.tx(async (tx) => {
      await tx.query('insert into ops.listing_health (listing, host) values ($1, $2) on conflict do nothing', [
        listing,
        host,
      ]);
      const [row] = await rowsOf<BreakerRow>(tx, selectBreaker, [listing]);
      const changed = events.reduce(nextBreaker, row ? fromRow(row) : closedBreaker);
      await tx.query(updateBreaker, [listing, host, ...toRow(changed)]);
    });
  }
}

interface BreakerRow extends Omit<CircuitBreaker, 'quota'> {
  readonly quotaLimit: number | null;
  readonly quotaRemaining: number | null;
  readonly quotaResetsAt: Date | null;
}

function fromRow({ quotaLimit, quotaRemaining, quotaResetsAt, ...rest }: BreakerRow): CircuitBreaker {
  const quota =
    quotaLimit === null || quotaRemaining === null
      ? null
      : { limit: quotaLimit, remaining: quotaRemaining, resetsAt: quotaResetsAt };
  return { ...rest, quota };
}

function toRow({ quota, refusedKeys, ...breaker }: CircuitBreaker): unknown[] {
  return [
    breaker.state,
    breaker.pausedUntil,
    breaker.failuresInARow,
    breaker.lastOkAt,
    breaker.lastErrorAt,
    breaker.lastError,
    quota?.limit ?? null,
    quota?.remaining ?? null,
    quota?.resetsAt ?? null,
    breaker.quotaSeenAt,
    breaker.quotaKey,
    JSON.stringify(refusedKeys),
  ];
}

const selectBreaker = `
  select state, paused_until as "pausedUntil", failures_in_a_row as "failuresInARow", last_ok_at as "lastOkAt",
    last_error_at as "lastErrorAt", last_error as "lastError", quota_limit as "quotaLimit", quota_remaining as "quotaRemaining",
    quota_resets_at as "quotaResetsAt", quota_seen_at as "quotaSeenAt", quota_key as "quotaKey", refused_keys as "refusedKeys"
  from ops.listing_health where listing = $1 for update`;

const updateBreaker = `
  update ops.listing_health set host = $2, state = $3, paused_until = $4, failures_in_a_row = $5, last_ok_at = $6,
    last_error_at = $7, last_error = $8, quota_limit = $9, quota_remaining = $10, quota_resets_at = $11, quota_seen_at = $12,
    quota_key = $13, refused_keys = $14
  where listing = $1`;
