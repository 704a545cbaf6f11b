import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Question } from '../gateway.ts';
import type { Stop } from './request-stops.ts';
import type { WindowName } from './terms.ts';

/** The request to reserve for: how it is counted, and whether it is a health probe. */
export type Asked = Pick<Question, 'listing' | 'endpoint' | 'region' | 'runId' | 'isHealthProbe'>;

type FullLimit = 'month' | 'turn' | 'second' | WindowName;

/** Result of `ops.reserve`. */
export interface Reserved {
  /** Time of the reservation, by the database's clock and by the clock of the limits. */
  readonly atMs: number;
  readonly at: Date;
  readonly granted: number;
  /** Slots of one unit each, evenly spaced; 0 without a rate. */
  readonly slots: number;
  readonly firstSlotMs: number | null;
  readonly gapMs: number | null;
  /** The exhausted limit, and when to ask again. */
  readonly fullLimit: FullLimit | null;
  readonly againMs: number | null;
  readonly monthEnds: Date;
  /** The stop in force. Units that are granted despite it are for its probe. */
  readonly stop: Stop | null;
  readonly settled: Settled | null;
}

/** Result of a settlement; null if it was written before. */
export interface Settled {
  /** Whether a stop holds back the listing or the key. */
  readonly is_stopped: boolean;
  /** Runs that ended before all of their requests were counted. */
  readonly ended_runs: readonly number[] | null;
}

export interface Wanted {
  readonly asked: Asked;
  readonly key: string;
  readonly terms: string;
  readonly weight: number;
  readonly count: number;
  readonly waiting: number;
  /** The instant played by `--now`; null: the database's clock. */
  readonly playedAt: Date | null;
  readonly askedAt: Date;
  readonly process: string;
  readonly guardMs: number;
  /** Permission to probe a stop before it expires. */
  readonly probe: 'first' | 'health' | null;
  readonly settled: string | null;
}

/** Reserves requests of one kind against all limits of their listing. */
export async function reserveRequests(sql: Queryable, wanted: Wanted): Promise<Reserved> {
  const { listing, endpoint, region, runId } = wanted.asked;
  const [reserved] = await rowsOf<Reserved>(
    sql,
    `select at_ms as "atMs", at, granted, slots, first_slot_ms as "firstSlotMs", gap_ms as "gapMs",
       full_limit as "fullLimit",
       again_ms as "againMs", month_ends as "monthEnds", stop, settled
     from ops.reserve($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      listing,
      wanted.key,
      wanted.terms,
      wanted.playedAt,
      wanted.askedAt,
      wanted.weight,
      isVital(wanted.asked),
      runId,
      endpoint,
      region,
      wanted.count,
      wanted.waiting,
      wanted.process,
      wanted.guardMs,
      wanted.probe,
      wanted.settled,
    ],
  );
  return reserved!;
}

/** Writes a settlement without a reservation. */
export async function settle(
  sql: Queryable,
  { listing, key, terms, at, settled }: { listing: string; key: string; terms: string; at: Date; settled: string },
): Promise<Settled | null> {
  const [row] = await rowsOf<{ settled: Settled | null }>(sql, 'select ops.settle($1, $2, $3, $4, $5) as settled', [
    listing,
    key,
    terms,
    at,
    settled,
  ]);
  return row!.settled;
}

/**
 * Recounts requests of finished runs. Separate from the settlement, because a publication may lock these rows for long.
 */
export async function recountRuns(sql: Queryable, runIds: readonly number[]): Promise<void> {
  await sql.query(
    `update ops.run r set requests_spent = (select coalesce(sum(s.sent), 0) from ops.spend s where s.run_id = r.run_id)
     where run_id = any ($1) and requests_spent is not null`,
    [runIds],
  );
}

/** Whether a request may use the monthly reserve: health probes and pages of an open run may. */
export function isVital({ isHealthProbe, runId, endpoint }: Asked): boolean {
  return isHealthProbe === true || (runId !== null && endpoint.endsWith('-category-page'));
}
