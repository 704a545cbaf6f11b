import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Question } from '../gateway.ts';
import type { Stop } from './stops.ts';
import { type Stage, stageOf, type WindowName } from './terms.ts';

/** What a request is counted under, and whether it only looks. */
export type Asked = Pick<Question, 'listing' | 'endpoint' | 'region' | 'runId' | 'isHealthProbe'>;

type FullLimit = 'run' | 'stage' | 'month' | 'turn' | 'second' | WindowName;

/** What the database says to those that ask, as `ops.reserve` answers. */
export interface Reserved {
  /** When, by the database's clock, and by the clock of the limits. */
  readonly atMs: number;
  readonly at: Date;
  readonly granted: number;
  /** Slots, one unit each, at an even distance; 0 without a pace. */
  readonly slots: number;
  readonly firstSlotMs: number | null;
  readonly gapMs: number | null;
  /** The limit that allows no more, and when to ask again. */
  readonly fullLimit: FullLimit | null;
  readonly againMs: number | null;
  readonly monthEnds: Date;
  /** The stop in force. Where something is granted, that is its probe. */
  readonly stop: Stop | null;
  readonly settled: Settled | null;
}

/** What the database says to a settlement; null: it was written before. */
export interface Settled {
  /** A stop holds the listing or the key back. */
  readonly is_stopped: boolean;
  /** Runs that were over before all of their requests were counted. */
  readonly ended_runs: readonly number[] | null;
}

export interface Wanted {
  readonly asked: Asked;
  readonly key: string;
  readonly terms: string;
  readonly weight: number;
  readonly count: number;
  readonly waiting: number;
  /** The instant that `--now` plays; null: the database's clock. */
  readonly playedAt: Date | null;
  readonly askedAt: Date;
  readonly process: string;
  readonly guardMs: number;
  /** May try a stop before its time. */
  readonly probe: 'first' | 'health' | null;
  readonly settled: string | null;
}

/** Reserves requests of one kind against all limits of their listing. */
export async function reserveRequests(sql: Askable, wanted: Wanted): Promise<Reserved> {
  const { listing, endpoint, region, runId } = wanted.asked;
  const [reserved] = await rowsOf<Reserved>(
    sql,
    `select at_ms as "atMs", at, granted, slots, first_slot_ms as "firstSlotMs", gap_ms as "gapMs", full_limit as "fullLimit",
       again_ms as "againMs", month_ends as "monthEnds", stop, settled
     from ops.reserve($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
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
      stageOf(endpoint) satisfies Stage,
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

/** Writes a settlement without reserving anything. */
export async function settle(
  sql: Askable,
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
 * Counts requests of runs that are over once more. Not with the settlement: a publication may hold these rows for long.
 */
export async function recountRuns(sql: Askable, runIds: readonly number[]): Promise<void> {
  await sql.query(
    `update ops.run r set requests_spent = (select coalesce(sum(s.sent), 0) from ops.spend s where s.run_id = r.run_id)
     where run_id = any ($1) and requests_spent is not null`,
    [runIds],
  );
}

/**
 * May use what is kept back of the month: it finds out whether the upstream is there, or reads the pages of an open
 * run.
 */
export function isVital({ isHealthProbe, runId, endpoint }: Asked): boolean {
  return isHealthProbe === true || (runId !== null && stageOf(endpoint) === 'listing');
}
