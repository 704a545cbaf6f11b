import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import type { Payload, RegionCode } from '../base/model/index.ts';
import type { Database, Queryable, Transaction } from '../db/client.ts';
import { isWorthWaiting } from '../db/connection-error.ts';
import type { categoryPage, detailFetch, keywordSearch, runPhase, storeCircle } from '../db/tables/index.ts';

/** The tables of units. Each has the columns of `unitColumns` and some of its own. */
export type UnitTable = typeof categoryPage | typeof detailFetch | typeof storeCircle | typeof keywordSearch;

/** A claimed unit, as the loop knows it. */
export type Unit = Pick<typeof categoryPage.$inferSelect, 'unitId' | 'claimToken' | 'attempts'>;

/** A run as known to its worker. Nothing is claimed or kept for it under another run token. */
export interface UnitRun {
  readonly runId: number;
  readonly runToken: number;
  /** Of a night. */
  readonly region: RegionCode | null;
}

/** Selection of a run's units. */
export interface UnitsWanted {
  readonly table: UnitTable;
  /** Phase in which the run must be. */
  readonly phase: (typeof runPhase.enumValues)[number];
  /** SQL by field: values of a claimed unit besides its columns. */
  readonly extra?: Readonly<Record<string, SQL>>;
  /** SQL condition on units `u`. */
  readonly where?: SQL;
}

/** A unit that is done, and the values of its columns. */
export interface DoneUnit {
  readonly unit: Pick<Unit, 'unitId' | 'claimToken'>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Units that are neither done nor failed, and milliseconds until the first free one may be claimed. */
export interface UnitsLeft {
  readonly units: number;
  readonly freeInMs: number | null;
}

interface FailedAttempt {
  readonly error: string;
  readonly isOver: boolean;
  readonly restMs: number;
  readonly payload: Pick<Payload, 'sha256' | 'receivedAt'> | null;
}

export type Units<Claimed extends Unit> = ReturnType<typeof unitsOf<Claimed>>;

/** Statements on the units of a run. A claim holds as long as its worker lives (workers.ts). */
export function unitsOf<Claimed extends Unit>(
  db: Database,
  { table, phase, extra = {}, where = sql`true` }: UnitsWanted,
  { runId, runToken }: Pick<UnitRun, 'runId' | 'runToken'>,
  workerId: string,
) {
  // All tables have these columns.
  const t = table as typeof categoryPage;
  const ofRun = sql`u.run_id = ${runId} and u.status = 'planned' and ${where}`;
  const isInPhase = sql`r.run_id = ${runId} and r.status = 'open' and r.run_token = ${runToken} and r.phase = ${phase}`;
  /** Units up to this one were claimed before. */
  let after = 0;

  return {
    /**
     * Claims free units in order. Until one unit of the run was answered, only the first may be claimed: an endpoint
     * that is missing, or a key that is refused, costs one request instead of one for each lane.
     */
    async claim(limit: number): Promise<Claimed[]> {
      const claimable = sql`
        select u.unit_id from ${t} u
        where ${ofRun} and u.unit_id > ${after} and u.worker_id is null
          and (u.not_before is null or u.not_before <= clock_timestamp())
          and exists (select from ops.run r where ${isInPhase})
          and (exists (select from ${t} d where d.run_id = ${runId} and d.status = 'done')
            or u.unit_id = (select min(u.unit_id) from ${t} u where ${ofRun}))
        order by u.unit_id
        limit ${limit} for update skip locked`;
      const claimed = (await db.orm
        .update(t)
        .set({ workerId, claimToken: sql`${t.claimToken} + 1` })
        .where(and(eq(t.runId, runId), sql`${t.unitId} = any (array(${claimable}))`))
        .returning({ ...getTableColumns(t), ...extra })) as unknown as Claimed[];
      const isFromStart = after === 0;
      after = claimed.length < limit ? 0 : Math.max(...claimed.map(({ unitId }) => unitId));
      // Units before the last claimed one may be free again.
      if (claimed.length === 0 && !isFromStart) return this.claim(limit);
      return claimed.sort((a, b) => a.unitId - b.unitId);
    },

    /** Null: the run is over, or not in its phase. */
    async left(): Promise<UnitsLeft | null> {
      const { rows } = await db.orm.execute<{ units: number; free_in_ms: number | null }>(sql`
        select count(u.unit_id)::int as units,
          (min(greatest(0, coalesce(extract(epoch from u.not_before - clock_timestamp()), 0) * 1000))
            filter (where u.worker_id is null))::float8 as free_in_ms
        from ops.run r left join ${t} u on ${ofRun}
        where ${isInPhase} group by r.run_id`);
      const [left] = rows;
      return left ? { units: left.units, freeInMs: left.free_in_ms } : null;
    },

    /**
     * Frees units of dead workers, and those of this worker, which holds none when it calls this. A unit that a stopped
     * process has locked is skipped.
     */
    async freeDead(): Promise<void> {
      const dead = sql`
        select u.unit_id from ${t} u
        where u.run_id = ${runId} and u.status = 'planned' and u.worker_id is not null
          and (u.worker_id = ${workerId} or not exists (
            select from ops.worker w where w.worker_id = u.worker_id and w.alive_until > clock_timestamp()))
        for update of u skip locked`;
      await db.orm
        .update(t)
        .set({ workerId: null })
        .where(and(eq(t.runId, runId), sql`${t.unitId} = any (array(${dead}))`));
    },

    /**
     * Marks units as done whose claims still hold, in the transaction that keeps their answers. Returns their ids. The
     * run's row is locked for sharing, so that the run cannot end, be published or get a new run token meanwhile.
     */
    async settle(tx: Transaction, done: readonly DoneUnit[]): Promise<ReadonlySet<number>> {
      const given = done.map(({ unit: { unitId, claimToken }, values }) =>
        snakeKeys({ unitId, claimToken, ...values }),
      );
      const columns = new Set(done.flatMap(({ values }) => Object.keys(snakeKeys(values))));
      const set = [...columns].map((column) => sql`${sql.identifier(column)} = done.${sql.identifier(column)}`);
      // Units are looked up one by one, to be independent of outdated table statistics.
      const { rows } = await tx.orm.execute<{ unit_id: number }>(sql`
        with fence as materialized (
          select from ops.run r
          where r.run_id = ${runId} and r.run_token = ${runToken} and r.status in ('open', 'held') for share
        ), done as materialized (
          select given.*, claimed.at
          from fence cross join jsonb_populate_recordset(null::${t}, ${JSON.stringify(given)}::jsonb) given
          cross join lateral (
            select u.ctid as at from ${t} u
            where u.run_id = ${runId} and u.unit_id = given.unit_id and u.claim_token = given.claim_token
              and u.status = 'planned'
            limit 1 for update) claimed
        )
        update ${t} u
        set ${sql.join([sql`status = 'done', worker_id = null, not_before = null`, ...set], sql`, `)}
        from done where u.ctid = done.at
        returning u.unit_id`);
      return new Set(rows.map(({ unit_id }) => unit_id));
    },

    /** Gives units back as they were; after a failure, not to be claimed at once. */
    async giveBack(units: readonly Unit[], restMs = 0): Promise<void> {
      if (units.length === 0) return;
      await db.orm
        .update(t)
        .set({ workerId: null, ...(restMs > 0 && { notBefore: inMs(restMs) }) })
        .where(areOurs(units));
    },

    /**
     * Counts a failed attempt. The unit can be claimed again after a rest, unless it `isOver`. An answer that could not
     * be read stays its payload, for a replay.
     */
    async countAttempt(unit: Unit, { error, isOver, restMs, payload }: FailedAttempt): Promise<void> {
      await db.orm
        .update(t)
        .set({
          workerId: null,
          attempts: unit.attempts + 1,
          error,
          status: isOver ? 'failed' : 'planned',
          notBefore: inMs(restMs),
          ...(payload && { payloadSha256: Buffer.from(payload.sha256, 'hex'), fetchedAt: payload.receivedAt }),
        })
        .where(areOurs([unit]));
    },

    /** Whether a payload has answered this unit before, and no other: an outage answers all of them alike. */
    async isAnsweredAlike({ unitId }: Unit, sha256: string): Promise<boolean> {
      const isThis = sql<boolean>`coalesce(bool_and(${t.unitId} = ${unitId}), false)`;
      const ofRun = and(eq(t.runId, runId), eq(t.payloadSha256, Buffer.from(sha256, 'hex')));
      const [answered] = await db.orm.select({ isThis }).from(t).where(ofRun);
      return answered!.isThis;
    },

    /** Fails the units of the run that nobody has claimed, because nothing will answer them. */
    async failFree(error: string): Promise<void> {
      await db.orm
        .update(t)
        .set({ status: 'failed', error })
        .where(and(eq(t.runId, runId), eq(t.status, 'planned'), isNull(t.workerId)));
    },
  };

  function areOurs(units: readonly Unit[]): SQL | undefined {
    const ids = sql.param(units.map(({ unitId }) => unitId));
    const tokens = sql.param(units.map(({ claimToken }) => claimToken));
    return and(
      eq(t.runId, runId),
      eq(t.status, 'planned'),
      sql`(${t.unitId}, ${t.claimToken}) in (select * from unnest(${ids}::bigint[], ${tokens}::int[]))`,
    );
  }
}

/**
 * Locks a run until the transaction ends. Units are planned and settled under the same lock, shared: whoever counts
 * them afterwards, to end the run or its phase, misses none.
 */
export async function lockRun(tx: Queryable, runId: number): Promise<void> {
  await tx.query('select from ops.run where run_id = $1 for update', [runId]);
}

const inMs = (ms: number): SQL => sql`clock_timestamp() + ${ms}::float8 * interval '1 ms'`;

export const snakeKeys = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

/** How long a worker waits for its database: what it holds is paid for. */
const patienceMs = 60_000;

/**
 * Repeats `work` while the database is away. Every statement of a worker may run twice: an answer that is kept already
 * finds its claim settled.
 */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isWorthWaiting(error) || performance.now() - startMs > patienceMs) throw error;
      await sleep(500);
    }
  }
}
