import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Derivation } from '../../src/followers/derive/derivation.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { owedNights } from '../../src/followers/derive/owed-nights.ts';
import { useDatabase } from '../support/database.ts';
import { insert, runRow } from '../support/insert.ts';
import { fillRandomBook } from './random-book.ts';

describe('deriving nights', () => {
  const database = useDatabase();
  const query = (text: string, values?: readonly unknown[]) => database.db.query(text, values);

  /** Notes which night was derived by which run, and after which. */
  const chain: Derivation = {
    async forget(tx, region, from) {
      await tx.query('delete from chain where region = $1 and night >= $2', [region, from]);
    },
    async derive(tx, { region, nights, before }) {
      let previous = before;
      for (const night of nights) {
        await tx.query('insert into chain values ($1, $2, $3, $4)', [
          region,
          night.snapshotDate,
          night.runId,
          previous?.runId ?? null,
        ]);
        previous = night;
      }
    },
  };

  /** Fails after having written. */
  const breaking: Derivation = {
    forget: async () => undefined,
    derive: async () => {
      throw new Error('killed');
    },
  };

  beforeEach(async () => {
    await query('drop table if exists chain');
    await query('create table chain (region text, night date, run int, previous int, primary key (region, night))');
    await query('truncate derived.night');
    await query('delete from ops.run');
  });

  const addRun = (runId: number, day: number, verdict: string | null, status = 'published') =>
    insert(database.db, 'ops.run', [
      runRow(`${dateOf(day)}T02:00:${String(runId % 60).padStart(2, '0')}Z`, { run_id: runId, status, verdict }),
    ]);

  const derive = (all: readonly Derivation[] = [chain], rules = 1) => deriveNights(database.db, 'uk', { all, rules });

  const rows = async () =>
    (await query('select night, run, previous from chain order by night')).rows.map((row) => Object.values(row));

  it('new rules derive all nights again', async () => {
    for (const day of [1, 2]) await addRun(day, day, 'complete');
    await derive();
    expect(await derive([chain], 2)).toBe(2);
  });

  it('nights derived by a newer version are kept, and later nights are derived', async () => {
    for (const day of [1, 2]) await addRun(day, day, 'complete');
    await derive([chain], 2);
    expect(await derive([chain], 1)).toBe(0);
    await addRun(3, 3, 'complete');
    expect(await derive([chain], 1)).toBe(1);
    expect(await rows()).toHaveLength(3);
    // Only the older derivation.
    expect(await derive([chain], 2)).toBe(1);
  });

  it('an interrupted derivation leaves nothing incomplete and is repeated', async () => {
    await addRun(1, 1, 'complete');
    await expect(derive([chain, breaking])).rejects.toThrow('killed');
    expect(await rows()).toEqual([]);
    expect(await owedNights(database.db, 'uk')).not.toBeNull();
    expect(await derive()).toBe(1);
  });

  it('concurrent processes derive each night once', async () => {
    for (const day of [1, 2, 3]) await addRun(day, day, 'complete');
    const derived = await Promise.all([derive(), derive(), derive()]);
    expect(derived.sort()).toEqual([0, 0, 3]);
    expect(await rows()).toHaveLength(3);
  });

  it('the final result depends only on the certified nights, whatever the order of events', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('crawl' as const), verdict: fc.constantFrom('complete', 'partial') }),
      fc.record({ do: fc.constant('again' as const), verdict: fc.constantFrom('complete', 'partial') }),
      fc.record({ do: fc.constantFrom('release' as const, 'derive' as const, 'break' as const) }),
      fc.record({ do: fc.constant('replay' as const), day: fc.integer({ min: 1, max: 12 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        await query('truncate chain, derived.night');
        await query('delete from ops.run');
        let [run, day] = [0, 0];
        for (const action of steps) {
          if (action.do === 'crawl') await addRun(++run, ++day, action.verdict);
          if (action.do === 'again' && day > 0) await addRun(++run, day, action.verdict);
          if (action.do === 'release') await query(`update ops.run set verdict = 'complete' where run_id = $1`, [run]);
          if (action.do === 'derive') await derive();
          if (action.do === 'break') await derive([chain, breaking]).catch(() => 0);
          if (action.do === 'replay')
            await database.db.tx((tx) => forgetDerived(tx, 'uk', dateOf(action.day), [chain]));
        }
        await derive();
        const { rows: certified } = await query(
          `select distinct on (snapshot_date) snapshot_date, run_id from ops.run
           where verdict = 'complete' order by snapshot_date, run_id desc`,
        );
        const expected = certified.map((night, n) => [...Object.values(night), certified[n - 1]?.['run_id'] ?? null]);
        expect(await rows()).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
});

describe('a night of products with keys far apart', () => {
  const database = useDatabase();

  it('is derived in memory for its products, not for its keys', async () => {
    const { db } = database;
    await fillRandomBook(db, { seed: 2, first: '2026-03-01', runs: 3, products: 6 });
    await db.query('alter table catalog.product alter product_key drop identity');
    const { rows } = await db.query(
      `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
       where a.attname = 'product_key' and c.relkind = 'r' and c.relnamespace = 'catalog'::regnamespace`,
    );
    for (const { name } of rows)
      await db.query(`update catalog.${name} set product_key = 1073741824 + product_key where product_key > 3`);
    const before = process.resourceUsage().maxRSS;
    await deriveNights(db, 'uk');
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(1024 * 1024);
  });
});

const dateOf = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`;
