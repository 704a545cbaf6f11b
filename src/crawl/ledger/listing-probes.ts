import type { ListingName } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

export type ProbeOutcome = 'answered' | 'denied' | 'missing' | 'failed' | 'not_asked';

/** Result of a health probe of a listing. */
export interface ListingProbe {
  readonly listing: ListingName;
  readonly probedAt: Date;
  readonly host: string;
  readonly endpoint: string;
  readonly outcome: ProbeOutcome;
  readonly latencyMs: number | null;
  /** Error message without the API key; null if the probe was answered. */
  readonly said: string | null;
}

export async function recordProbe(sql: Queryable, probe: ListingProbe): Promise<void> {
  const { listing, probedAt, host, endpoint, outcome, latencyMs, said } = probe;
  await sql.query(
    `insert into ops.listing_probe (listing, probed_at, host, endpoint, outcome, latency_ms, said)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    [listing, probedAt, host, endpoint, outcome, latencyMs, said],
  );
}

/** The last probe of each listing for which a request was sent. */
export async function lastProbes(sql: Queryable): Promise<ReadonlyMap<ListingName, ListingProbe>> {
  const rows = await rowsOf<ListingProbe>(
    sql,
    `select distinct on (listing) listing, probed_at as "probedAt", host, endpoint, outcome,
       latency_ms as "latencyMs", said
     from ops.listing_probe where outcome <> 'not_asked' order by listing, probed_at desc`,
  );
  return new Map(rows.map((row) => [row.listing, row]));
}
