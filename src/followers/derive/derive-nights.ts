import { type Clock, systemClock } from '../../base/clock.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { noteDerivedNights } from '../../crawl/ledger/night-changes.ts';
import { analyzeChanged } from '../../db/analyze-changed.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { renewEmpty } from '../../db/renew-empty.ts';
import { rowsOf } from '../../db/rows.ts';
import type { CertifiedNight, Derivation } from './derivation.ts';
import { derivationRules, derivations } from './index.ts';
import { owedNights } from './owed-nights.ts';
import { keepVintage } from './price-index/index-vintage.ts';

/**
 * Maximum number of nights per transaction: limits the loss after a kill. Each transaction loads its first night
 * completely.
 */
const mostAtOnce = 800;

interface DeriveOptions {
  readonly signal?: AbortSignal;
  /** Time source of change dates; by default the system clock. */
  readonly clock?: Clock;
  /** By default all derivations. */
  readonly all?: readonly Derivation[];
  readonly rules?: number;
  /** Maximum number of nights per transaction. */
  readonly nightsAtOnce?: number;
  /** Called after each transaction. */
  readonly onDerived?: (nights: readonly CertifiedNight[]) => void;
}

/**
 * Derives all nights of a region that are still to be derived. Idempotent and safe in concurrent processes. Returns the
 * number of derived nights.
 */
export async function deriveNights(db: Database, region: RegionCode, options: DeriveOptions = {}): Promise<number> {
  const { signal, clock = systemClock, all = derivations, rules = derivationRules, onDerived } = options;
  const { nightsAtOnce = mostAtOnce } = options;
  let derived = 0;
  let since: Date | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const some = await db.tx((tx) => deriveSome(tx, region, { all, rules, nightsAtOnce, signal, clock }), {
      isolation: 'repeatable read',
    });
    if (some === null) break;
    if (derived === 0) since = some.since;
    derived += some.nights.length;
    onDerived?.(some.nights);
  }
  if (derived > 0) {
    await indexProducts(db, since);
    await analyzeChanged(db, since === null);
  }
  return derived;
}

/** Waits for publications, which lock the table; a short lock timeout keeps later publications from waiting. */
async function indexProducts(db: Database, since: Date | null): Promise<void> {
  await db.tx((tx) => tx.query('select ops.index_products($1)', [since]), { lockTimeoutMs: 2_000, attempts: 100 });
}

interface Some {
  readonly clock: Clock;
  readonly all: readonly Derivation[];
  readonly rules: number;
  readonly nightsAtOnce: number;
  readonly signal: AbortSignal | undefined;
}

interface DerivedNights {
  readonly nights: readonly CertifiedNight[];
  /** Instant of the night before them; null if there is none. */
  readonly since: Date | null;
}

/** Derives the next nights; null if there are none. */
async function deriveSome(
  tx: Transaction,
  region: RegionCode,
  { all, rules, nightsAtOnce, signal, clock }: Some,
): Promise<DerivedNights | null> {
  // Locked before reading, so that results of concurrent processes are visible.
  await tx.query('lock table derived.night in share row exclusive mode');
  await tx.query(`set local work_mem = '64MB'`);
  const owed = await owedNights(tx, region, rules);
  if (!owed) return null;
  // Before rows are deleted, which other transactions may still see.
  if (owed.before === null) await renewEmpty(tx, ['derived.pack_size', 'derived.promotion_start']);
  if (owed.isStale) await forgetDerived(tx, region, owed.from, all);
  const nights = owed.nights.slice(0, nightsAtOnce);
  const dates = nights.map(({ snapshotDate }) => snapshotDate);
  // Everything is new on the first night; with estimates of nearly empty tables, the planner chooses nested loops.
  if (owed.before === null && nights.length === 1) await tx.query('set local enable_nestloop = off');
  if (nights.length > 0) {
    for (const derivation of all) {
      signal?.throwIfAborted();
      await derivation.derive(tx, { region, nights, before: owed.before }, signal);
    }
    await keepVintage(tx, region, dates.at(-1)!, clock.now());
    await tx.query(
      `insert into derived.night (region, snapshot_date, run_id, rules)
       select $1, night.*, $4 from unnest($2::date[], $3::int[]) as night`,
      [region, dates, nights.map(({ runId }) => runId), rules],
    );
  }
  const forgottenFrom = owed.isStale ? owed.from : null;
  await noteDerivedNights(tx, { region, derived: dates, forgottenFrom, at: clock.now() });
  return { nights, since: owed.before?.observedAt ?? null };
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
  const [before] = await rowsOf<{ date: string | null }>(
    tx,
    'select max(snapshot_date) as date from derived.night where region = $1 and snapshot_date < $2',
    [region, from],
  );
  const earliest = before?.date ?? from;
  await forgetDerived(tx, region, earliest);
  return earliest;
}
