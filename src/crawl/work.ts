import { setMaxListeners } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type FailureKind, kindOf, RequestFailed } from '../base/errors.ts';
import type { Payload, Reading } from '../base/model/index.ts';
import type { Transaction } from '../db/client.ts';
import { startStop } from '../gateway/limits/stops.ts';
import { policy } from '../gateway/policy.ts';
import type { Endpoint } from '../source/endpoints/index.ts';
import type { CrawlContext } from './context.ts';
import type { Answered } from './ingest.ts';
import { budgetCode } from './run/budget.ts';
import { quarantine, quarantinePayload } from './stage/quarantine.ts';
import { patiently, type Unit, type UnitRun, type Units, type UnitsWanted, unitsOf } from './units.ts';

/** A kind of unit: where its units are, what is requested for one, and how the answers are kept. */
export interface Kind<Claimed extends Unit, Params, Records, Kept extends KeptUnit> extends UnitsWanted {
  readonly endpoint: Endpoint<Params, Records>;
  ask(unit: Claimed): Params;
  /** Prepares an answer for `keep`, outside its transaction. Throws `RequestFailed` if it cannot be all there is. */
  prepare(unit: Claimed, reading: Reading<Records>): Kept | Promise<Kept>;
  /** What is kept if the failure means that there is nothing; null: the policy decides. */
  nothing?(unit: Claimed, failure: FailureKind, why: string): Kept | null | Promise<Kept | null>;
  /** Stages answers, in the transaction that marks their units as done. */
  keep(tx: Transaction, group: readonly { readonly unit: Claimed; readonly kept: Kept }[]): Promise<void>;
  maxAttempts(unit: Claimed): number;
  /** Whether a run can do without this kind. */
  readonly isOptional?: boolean;
}

export interface KeptUnit {
  /** Values of the unit's columns. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** An answer that was read, from the upstream or the archive. */
export interface ReadUnit<Claimed, Kept> {
  readonly unit: Claimed;
  readonly kept: Kept;
  /** Null: there was no answer, which says enough. */
  readonly payload: Pick<Payload, 'sha256' | 'receivedAt'> | null;
  readonly rejected: Reading<unknown>['rejected'];
}

export type Worker = Pick<
  CrawlContext,
  'db' | 'clock' | 'log' | 'worker' | 'ask' | 'ingest' | 'concurrency' | 'settings'
>;

/** A worker without units looks again so often: others plan units, give them back, and die. */
const lookEveryMs = 500;

/** Units claimed and kept together at most; a killed process loses the answers that it has not kept. */
const maxGroup = 64;
/** With a limited rate, a group is what this time allows, and its answers are kept at least so often. */
const pacedGroupMs = 2_000;
const unpacedGroupMs = 100;

/** A process that is stopped in a transaction must not keep its locks for longer than its claims. */
export const idleTimeoutMs = 8_000;

/**
 * Works on the units of a run until none is left (`done`), or the run is over or in another phase (`over`). Several
 * processes may work on one run. Throws what makes this worker leave: a stop that lasts, a lack of room, a lost server.
 */
export async function work<Claimed extends Unit, Params, Records, Kept extends KeptUnit>(
  { db, clock, log, worker, ask, ingest, concurrency, settings }: Worker,
  run: UnitRun,
  kind: Kind<Claimed, Params, Records, Kept>,
  signal: AbortSignal,
): Promise<'done' | 'over'> {
  interface Arrival {
    readonly unit: Claimed;
    readonly answered: Answered<Params> | null;
    readonly kept?: Kept;
  }
  const { requestsPerSecond: rate, firstRestMs } = settings;
  const groupSize = rate > 0 ? Math.min(maxGroup, Math.ceil((rate * pacedGroupMs) / 1_000)) : maxGroup;
  const groupWaitMs = rate > 0 ? pacedGroupMs : unpacedGroupMs;
  const units = unitsOf<Claimed>(db, kind, run, worker.workerId);
  const asking = pLimit(concurrency);
  const keeping = pLimit(1);
  const groups = new Set<Promise<void>>();
  const leaving = new AbortController();
  const halt = AbortSignal.any([signal, leaving.signal]);
  // Each request under way listens to them.
  setMaxListeners(0, halt, signal);
  /** Answers that are not kept yet. */
  let unkept = 0;
  /** Why no unit is requested any more: the code that those left fail with. */
  let overFor: string | null = null;
  let brokenInARow = 0;

  try {
    await patiently(units.freeDead);
    while (!halt.aborted) {
      const claimed = await patiently(() => units.claim(groupSize));
      if (claimed.length > 0) await begin(claimed);
      else if (groups.size > 0) await Promise.race([...groups, sleep(lookEveryMs)]);
      else {
        const left = await patiently(units.left);
        if (left === null) return 'over';
        if (left.units === 0) return 'done';
        await patiently(units.freeDead);
        await sleep(Math.max(20, Math.min(lookEveryMs, left.freeInMs ?? lookEveryMs)));
      }
    }
  } finally {
    await Promise.all(groups);
  }
  if (leaving.signal.aborted) throw leaving.signal.reason;
  return 'over';

  /** Begins to work on a group. Resolves when others should be claimed, because its last units are being requested. */
  async function begin(claimed: readonly Claimed[]): Promise<void> {
    const claimedMs = performance.now();
    const arrived: Arrival[] = [];
    const back: Claimed[] = [];
    const askFor = (unit: Claimed) =>
      asking(async () => {
        // Others may have the units of a process that was stopped for a while.
        if (halt.aborted || overFor !== null || !worker.holds(claimedMs)) return void back.push(unit);
        try {
          const params = kind.ask(unit);
          // What has been sent is paid for: a worker that leaves waits for its answers and keeps them.
          const answer = await ask(kind.endpoint, params, run.runId, signal, halt);
          arrived.push({ unit, answered: { params, answer } });
          unkept += 1;
        } catch (error) {
          if (halt.aborted) return void back.push(unit);
          // What else fails is not archived, so a replay could not read it.
          const isArchived = error instanceof RequestFailed && error.kind === 'unreadable';
          const kept = await settleFailure(unit, error, isArchived ? error.payload : null);
          if (kept) arrived.push({ unit, answered: null, kept });
        }
      });
    const early = Math.max(0, claimed.length - concurrency);
    const first = claimed.slice(0, early).map(askFor);
    const turn = asking(() => undefined);
    const all = Promise.all([...first, ...claimed.slice(early).map(askFor)]);
    const group = keepArriving(all, arrived)
      .then(() => patiently(() => units.giveBack(back)))
      .then(() => (overFor === null ? undefined : patiently(units.failFree.bind(units, overFor))))
      .catch((error: unknown) => leaving.abort(error))
      .finally(() => groups.delete(group));
    groups.add(group);
    await turn;
    // Answers must not pile up before the archive and the database.
    while (unkept > maxGroup) await sleep(10);
  }

  /** Keeps answers when all have arrived, and what has arrived in regular intervals before that. */
  async function keepArriving(all: Promise<unknown>, arrived: Arrival[]): Promise<void> {
    for (let isAll = false; !isAll; ) {
      isAll = await Promise.race([all.then(() => true), sleep(groupWaitMs, false, { ref: false })]);
      const group = arrived.splice(0);
      if (group.length > 0) await keeping(() => keep(group));
      unkept -= group.filter(({ answered }) => answered).length;
    }
  }

  async function keep(group: readonly Arrival[]): Promise<void> {
    const withAnswer = group.flatMap(({ unit, answered }) => (answered ? [{ unit, answered }] : []));
    const readings = await ingest(
      kind.endpoint,
      withAnswer.map(({ answered }) => answered),
      run.runId,
    ).catch((error: Error) => withAnswer.map(() => error));
    const read: ReadUnit<Claimed, Kept>[] = group.flatMap(({ unit, kept }) =>
      kept ? [{ unit, kept, payload: null, rejected: [] }] : [],
    );
    for (const [i, { unit, answered }] of withAnswer.entries()) {
      const reading = readings[i]!;
      const { payload } = answered.answer;
      try {
        if (reading instanceof Error) throw reading;
        // A request that is due must not wait for the whole group.
        await setImmediate();
        read.push({ unit, kept: await kind.prepare(unit, reading), payload, rejected: reading.rejected });
      } catch (error) {
        const kept = await settleFailure(unit, error, payload);
        if (kept) read.push({ unit, kept, payload: null, rejected: [] });
      }
    }
    if (read.length > 0) await stage(read);
  }

  /** In one transaction; if that fails, one by one, so that only the faulty unit fails. */
  async function stage(read: readonly ReadUnit<Claimed, Kept>[]): Promise<void> {
    try {
      const keeping = { units, run, kind, now: clock.now() };
      const kept = await patiently(() => db.tx((tx) => keepUnits(tx, keeping, read), { idleTimeoutMs }));
      if (kept > 0) brokenInARow = 0;
      if (kept < read.length)
        log.info({ run: run.runId, units: read.length - kept }, 'answers dropped: another worker has their units');
    } catch (error) {
      if (read.length > 1 && kindOf(error) === 'bug') for (const one of read) await stage([one]);
      else for (const { unit, payload } of read) await settleFailure(unit, error, payload);
    }
  }

  /** Does with a unit, and with the run, what the policy says. Returns what is to be kept, if that there is nothing. */
  async function settleFailure(
    unit: Claimed,
    error: unknown,
    payload: ReadUnit<Claimed, Kept>['payload'] = null,
  ): Promise<Kept | null> {
    const failure = kindOf(error);
    const restMs = firstRestMs * 2 ** Math.min(unit.attempts, 3) * (0.5 + Math.random() / 2);
    if (halt.aborted) return giveBack(unit);
    const why = error instanceof Error ? error.message : String(error);
    const nothing = await patiently(async () => (await kind.nothing?.(unit, failure, why)) ?? null);
    if (nothing) return nothing;
    const { unit: fate, maxAttempts = Number.POSITIVE_INFINITY, stop } = policy[failure];
    if (failure === 'bug') log.error({ job: 'crawl', run: run.runId, err: error }, 'a job failed unexpectedly');
    if (error instanceof RequestFailed && error.reason === budgetCode) return leaveOut(unit, budgetCode, why);
    // A worker that leaves tells why before the stop is written: see `leave`.
    if (fate !== 'leave' && stop?.scope === 'run' && ++brokenInARow >= stop.after) {
      const { scope, reason, firstMs } = stop;
      brokenInARow = 0;
      if (fate === 'kind_over' && kind.isOptional) return leaveOut(unit, failure, why);
      await patiently(() => startStop(db, { scope, scopeId: String(run.runId), reason, detail: why, forMs: firstMs }));
    }
    if (fate === 'leave') leaving.abort(error);
    if (fate === 'free' || fate === 'leave') return giveBack(unit, restMs);
    const isUnreadable = error instanceof RequestFailed && failure === 'unreadable' && payload !== null;
    const isOver =
      fate === 'failed' ||
      unit.attempts + 1 >= Math.min(maxAttempts, kind.maxAttempts(unit)) ||
      (isUnreadable && (await patiently(() => units.isAnsweredAlike(unit, payload.sha256))));
    if (isOver && isUnreadable)
      await patiently(() => quarantinePayload(db, kind.endpoint, payload, run.runId, { issues: [error.what] }));
    await patiently(() => units.countAttempt(unit, { error: `${failure}: ${why}`, isOver, restMs, payload }));
    return null;
  }

  /** Ends the kind for this run. */
  async function leaveOut(unit: Claimed, code: string, reason: string): Promise<null> {
    if (overFor === null) log.warn({ run: run.runId, reason }, 'units are left out of this run');
    overFor = code;
    return giveBack(unit);
  }

  async function giveBack(unit: Claimed, restMs = 0): Promise<null> {
    // Of a server that is away, the unit comes free when this worker's heartbeat ends.
    await units.giveBack([unit], restMs).catch((error: unknown) => leaving.abort(error));
    return null;
  }
}

/**
 * Marks units as done and stages what was read, in one transaction. Returns their number; the others' claims are lost.
 */
export async function keepUnits<Claimed extends Unit, Kept extends KeptUnit>(
  tx: Transaction,
  {
    units,
    run,
    kind,
    now,
  }: {
    readonly units: Pick<Units<Claimed>, 'settle'>;
    readonly run: Pick<UnitRun, 'runId' | 'region'>;
    readonly kind: Pick<Kind<Claimed, never, unknown, Kept>, 'keep'> & { readonly endpoint: { readonly name: string } };
    readonly now: Date;
  },
  read: readonly ReadUnit<Claimed, Kept>[],
): Promise<number> {
  const done = read.map(({ unit, kept, payload }) => {
    const ofPayload = { payloadSha256: payload && `\\x${payload.sha256}`, fetchedAt: payload?.receivedAt ?? now };
    return { unit, values: { error: null, ...ofPayload, ...kept.values } };
  });
  const settled = await units.settle(tx, done);
  const ours = read.filter(({ unit }) => settled.has(unit.unitId));
  if (ours.length === 0) return 0;
  await kind.keep(tx, ours);
  const rejected = ours.flatMap(({ payload, rejected: each }) =>
    each.map((rejection) => ({ rejection, payloadSha256: payload!.sha256, seenAt: payload!.receivedAt })),
  );
  await quarantine(tx, run, kind.endpoint.name, rejected);
  return ours.length;
}
