import { randomUUID } from 'node:crypto';
import type { Quota } from '../quota.ts';
import type { CountedOutcome, Outcome, Reservation } from '../spend.ts';

/** Counts of a process for a listing, collected and written in groups by `ops.settle`. */
interface Settlement {
  sent(request: Counted): void;
  outcome(request: Counted, outcome: Outcome & { readonly kind: CountedOutcome }, at: Date): void;
  /** Returns reserved units that are not used. */
  giveBack(units: number, kind: Omit<Counted, 'weight'>, reserved: ReservedAt): void;
  /** Latest quota from the response headers. `unitsGone`: units that this process had sent by then. */
  told(quota: Quota, seenAt: Date, unitsGone: number): void;
  /** Pauses requests of all processes for this time. */
  pause(ms: number): void;
  isEmpty(): boolean;
  /** Number of collected outcomes. */
  readonly outcomes: number;
  /** The group to write, as JSON. It stays the same until it is written; null: there is nothing to write. */
  begin(units: { readonly reserved: number; readonly gone: number }): string | null;
  /** Called after the commit; returns the units that the group returned. */
  end(): number;
}

/** When units were reserved, by the process's clock of limits and in milliseconds of the database's. */
export interface ReservedAt {
  readonly at: Date;
  readonly atMs: number;
}

/** A request as it is counted. */
export type Counted = Omit<Reservation, 'listing'> & { readonly weight: number };

const kinds = ['ok', 'failed', 'refused', 'rate_limited', 'quota', 'denied', 'aborted'] as const;

export function createSettlement(): Settlement {
  const writer = randomUUID();
  let number = 0;
  let gathered = nothing();
  let writing: { readonly json: string; readonly unitsBack: number } | null = null;

  return {
    sent(request) {
      const count = countOf(request);
      count.sent += 1;
      count.weight += request.weight;
    },
    outcome(request, { kind, isAgain, what }, at) {
      countOf(request)[kind] += 1;
      gathered.outcomes += 1;
      if (kind === 'ok' || kind === 'refused') Object.assign(gathered, { okAt: at, failures: 0 });
      if (kind === 'failed' && !isAgain) gathered.failures += 1;
      if (['failed', 'quota', 'denied'].includes(kind)) Object.assign(gathered, { errorAt: at, error: what ?? kind });
    },
    giveBack(units, kind, { at, atMs }) {
      countOf(kind).units -= units;
      gathered.back.push({ at, at_ms: atMs, units });
    },
    told: (quota, seenAt, unitsGone) => {
      gathered.told = { quota, seenAt, unitsGone };
    },
    pause: (ms) => {
      gathered.pauseMs = Math.max(gathered.pauseMs ?? 0, ms);
    },
    get outcomes() {
      return gathered.outcomes;
    },
    isEmpty: () => writing === null && isNothing(gathered),
    begin({ reserved, gone }) {
      if (writing === null && !isNothing(gathered)) {
        number += 1;
        const { back, told, counts, okAt, failures, errorAt, error, pauseMs } = gathered;
        const unitsBack = back.reduce((sum, { units }) => sum + units, 0);
        const kept = reserved - unitsBack;
        const groups = [...counts.values()];
        const json = JSON.stringify({
          writer,
          number,
          back,
          counts: groups.map((group, i) => ({
            ...group,
            weight_after: groups.slice(i + 1).reduce((sum, { weight }) => sum + weight, 0),
          })),
          held: kept - gone,
          ok_at: okAt,
          failures,
          error_at: errorAt,
          error,
          pause_ms: pauseMs,
          told: told && {
            limit: told.quota.limit,
            remaining: told.quota.remaining,
            resets_at: told.quota.resetsAt,
            seen_at: told.seenAt,
            not_sent: kept - told.unitsGone,
          },
        });
        gathered = nothing();
        writing = { json, unitsBack };
      }
      return writing?.json ?? null;
    },
    end() {
      const unitsBack = writing?.unitsBack ?? 0;
      writing = null;
      return unitsBack;
    },
  };

  function countOf({ hour, endpoint, region, runId }: Omit<Counted, 'weight'>): Count {
    const id = [hour.getTime(), endpoint, region, runId].join('|');
    const none = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<CountedOutcome, number>;
    const count = gathered.counts.get(id) ?? {
      hour,
      endpoint,
      region,
      run_id: runId,
      sent: 0,
      units: 0,
      weight: 0,
      ...none,
    };
    gathered.counts.set(id, count);
    return count;
  }
}

interface Count extends Record<CountedOutcome, number> {
  readonly hour: Date;
  readonly endpoint: string;
  readonly region: string | null;
  readonly run_id: number | null;
  sent: number;
  /** Change of reserved units; negative for returned ones. */
  units: number;
  /** Units of sent requests. */
  weight: number;
}

interface Gathered {
  outcomes: number;
  readonly counts: Map<string, Count>;
  readonly back: { readonly at: Date; readonly at_ms: number; readonly units: number }[];
  okAt: Date | null;
  failures: number;
  errorAt: Date | null;
  error: string | null;
  pauseMs: number | null;
  told: { readonly quota: Quota; readonly seenAt: Date; readonly unitsGone: number } | null;
}

function nothing(): Gathered {
  return {
    outcomes: 0,
    counts: new Map(),
    back: [],
    okAt: null,
    failures: 0,
    errorAt: null,
    error: null,
    pauseMs: null,
    told: null,
  };
}

function isNothing({ counts, back, told, pauseMs }: Gathered): boolean {
  return counts.size === 0 && back.length === 0 && told === null && pauseMs === null;
}
