import { type Clock, systemClock } from '../../base/clock.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { analyzeChanged } from '../../db/analyze-changed.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { renewEmpty } from '../../db/renew-empty.ts';
import { rowsOf } from '../../db/rows.ts';
import { noteDerivedNights } from '../../publish/night-changes.ts';
import type { CertifiedNight, Derivation, NightsToDerive } from './derivation.ts';
import { derivationRules, derivations } from './index.ts';
import { owedNights } from './owed-nights.ts';

interface DeriveOptions {
  readonly signal?: AbortSignal;
  /** Time source of change dates. */
  readonly clock?: Clock;
  readonly all?: readonly Derivation[];
  readonly rules?: number;
  /** Nights per transaction: limits the loss after a kill. Each transaction loads its first night completely. */
  readonly nightsAtOnce?: number;
  /** Called after each transaction. */
  readonly onDerived?: (nights: readonly CertifiedNight[]) => void;
}

const usual = { clock: systemClock, all: derivations, rules: derivationRules, nightsAtOnce: 800 };

/**
 * Derives all nights of a region that are still to be derived. Idempotent and safe in concurrent processes. Returns the
 * number of derived nights.
 */
export async function deriveNights(db: Database, region: RegionCode, options: DeriveOptions = {}): Promise<number> {
  let derived = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    const some = await db.tx((tx) => deriveSome(tx, region, { ...usual, ...options }), {
      isolation: 'repeatable read',
    });
    if (some === null) break;
    derived += some.nights.length;
    options.onDerived?.(some.nights);
  }
  // Indexes that only readers need are made once, after publications, which lock the table; a short lock timeout keeps
  // later publications from waiting.
  await db.tx((tx) => tx.query('select ops.index_products()'), { lockTimeoutMs: 2_000, attempts: 100 });
  if (derived > 0) await analyzeChanged(db);
  return derived;
}

/** Derives the next nights; null if there are none. */
async function deriveSome(
  tx: Transaction,
  region: RegionCode,
  { all, rules, nightsAtOnce, signal, clock }: typeof usual & DeriveOptions,
): Promise<NightsToDerive | null> {
  // Locked before reading, so that results of concurrent processes are visible.
  await tx.query('lock table derived.night in share row exclusive mode');
  // The planner does not know that few spells hold on a past night: a merge would look up all of them by an index.
  await tx.query(`set local work_mem = '64MB'; set local enable_mergejoin = off`);
  const owed = await owedNights(tx, region, rules);
  if (!owed) return null;
  const { before } = owed;
  // Before rows are deleted, which other transactions may still see.
  if (before === null) await renewEmpty(tx, ['derived.promotion_start']);
  if (owed.isStale) await forgetDerived(tx, region, owed.from, all);
  const nights = owed.nights.slice(0, nightsAtOnce);
  const dates = nights.map(({ snapshotDate }) => snapshotDate);
  // Everything is new on the first night; with estimates of nearly empty tables, the planner chooses nested loops.
  if (before === null && nights.length === 1) await tx.query('set local enable_nestloop = off');
  if (nights.length > 0) {
    await listNights(tx, region, dates.at(-1)!);
    for (const derivation of all) {
      signal?.throwIfAborted();
      await derivation.derive(tx, { region, nights, before }, signal);
    }
    await tx.query(
      `insert into derived.night (region, snapshot_date, run_id, rules)
       select $1, night.*, $4 from unnest($2::date[], $3::int[]) as night`,
      [region, dates, nights.map(({ runId }) => runId), rules],
    );
  }
  const forgottenFrom = owed.isStale ? owed.from : null;
  await tx.query('select pg_stat_force_next_flush()');
  await noteDerivedNights(tx, { region, derived: dates, forgottenFrom, at: clock.now() });
  return { region, nights, before };
}

/** Creates the temporary table `derived_night`: all certified nights up to a date, numbered from 1 in order. */
async function listNights(tx: Transaction, region: RegionCode, until: string): Promise<void> {
  await tx.query(
    `create temporary table derived_night on commit drop as
     select (row_number() over (order by snapshot_date))::int as night_no, snapshot_date, observed_at
     from ops.certified_night
     where region = $1 and snapshot_date <= $2`,
    [region, until],
  );
  // Without statistics, the planner expects 1,850 nights.
  await tx.query('analyze derived_night');
}

/**
 * Deletes data derived from a date on, in the transaction that changes those nights: until they are derived again there
 * is no answer instead of a wrong one.
 */
export async function forgetDerived(
  tx: Pick<Transaction, 'query'>,
  region: RegionCode,
  from: string,
  all: readonly Derivation[] = derivations,
): Promise<void> {
  for (const derivation of [...all].reverse()) await derivation.forget(tx, region, from);
  await tx.query('delete from derived.night where region = $1 and snapshot_date >= $2', [region, from]);
}

/**
 * As `forgetDerived`, but starting with the derived night before: if it becomes the last night, data specific to the
 * last night (matches, moves of the month) must be derived for it. Returns the first deleted date.
 */
export async function forgetWithNightBefore(tx: Transaction, region: RegionCode, from: string): Promise<string> {
  const [earliest] = await rowsOf<{ date: string }>(
    tx,
    `select coalesce(max(snapshot_date), $2::date) as date from derived.night where region = $1 and snapshot_date < $2`,
    [region, from],
  );
  await forgetDerived(tx, region, earliest!.date);
  return earliest!.date;
}
