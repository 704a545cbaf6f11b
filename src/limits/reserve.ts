import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { Question } from '../gateway/gateway.ts';
import { stageOf } from './terms.ts';

/** What a request is counted under, and whether it only looks. */
export type Asked = Pick<Question, 'listing' | 'endpoint' | 'region' | 'runId' | 'isHealthProbe'>;

/** A request that went out: its slot, and when that was. Milliseconds of the database's clock. */
export interface Departure {
  readonly slotMs: number;
  readonly departedMs: number;
}

/** What the database says to those that ask, as `ops.reserve_requests` answers. */
export interface Reserved {
  readonly atMs: number;
  readonly hour: Date;
  /** Of the first requests, in order; those beyond wait for what `waitsFor` says. */
  readonly outcomes: readonly ('go' | 'month' | 'run' | 'stage')[];
  readonly slots: readonly (number | null)[];
  readonly waitsFor: 'second' | 'minute' | 'hour' | 'day' | 'turn' | null;
  readonly againMs: number | null;
  readonly monthEnds: Date | null;
  /** Why the listing is stopped; with an outcome, one request was let through to see whether it still is. */
  readonly stop: 'quota' | 'denied' | 'failing' | 'nothing_left' | null;
  readonly stopUntil: Date | null;
  readonly stopWhat: string | null;
  readonly stopFailures: number | null;
  /** When a request is let through to see whether a used-up quota was raised. */
  readonly recheckedAt: Date | null;
  /** What each `go` costs, exact decimals; null: not known. */
  readonly costs: readonly (string | null)[] | null;
}

/** Reserves requests of one listing against all its limits, in one statement. */
export async function reserveRequests(
  sql: Askable,
  asked: readonly Asked[],
  options: {
    /** The instant that `--now` plays; null: the database's clock. */
    playedAt: Date | null;
    weightOf: (endpoint: string) => number;
    /** This process has not asked the listing yet: a stop may be of the process before it. */
    isFirst: boolean;
    isProbe: boolean;
    departures: readonly Departure[];
    terms: string;
  },
): Promise<Reserved> {
  const { playedAt, weightOf, isFirst, isProbe, departures, terms } = options;
  const [reserved] = await rowsOf<Reserved>(
    sql,
    `select at_ms as "atMs", hour, outcomes, slots, waits_for as "waitsFor", again_ms as "againMs", month_ends as "monthEnds",
       stop, stop_until as "stopUntil", stop_what as "stopWhat", stop_failures as "stopFailures", rechecked_at as "recheckedAt",
       request_costs as costs
     from ops.reserve_requests($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      asked[0]!.listing,
      playedAt,
      asked.map(({ endpoint }) => endpoint),
      asked.map(({ region }) => region),
      asked.map(({ runId }) => runId),
      asked.map(({ endpoint }) => stageOf(endpoint)),
      asked.map(({ endpoint }) => weightOf(endpoint)),
      asked.map(isVital),
      isProbe,
      isFirst,
      departures.map(({ slotMs }) => slotMs),
      departures.map(({ departedMs }) => departedMs),
      terms,
    ],
  );
  return reserved!;
}

/** May use what is kept back of the month: it finds out whether the upstream is there, or reads the pages of an open run. */
export function isVital({ isHealthProbe, runId, endpoint }: Asked): boolean {
  return isHealthProbe === true || (runId !== null && stageOf(endpoint) === 'listing');
}
