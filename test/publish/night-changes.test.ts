import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { noteDerivedNights, noteNights } from '../../src/publish/night-changes.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { insert, runRow } from '../support/insert.ts';

const at = new Date('2026-03-05T03:00:00Z');
const dateOf = (night: number) => `2026-03-0${night}`;

describe('change keys of nights', () => {
  const database = useDatabase();
  beforeEach(async () => {
    await insert(
      database.db,
      'ops.run',
      [1, 2, 3].flatMap((night) => [run(night, 'uk', dateOf(night)), run(10 + night, 'ie', dateOf(night))]),
    );
  });
  afterEach(() => forgetEverything(database.db));

  const keys = (region = 'uk') =>
    rowsOf<{ date: string; key: number; derived: number | null }>(
      database.db,
      `select snapshot_date as date, change_seq as key, derived_change_seq as derived
       from marts.snapshot
       where region = $1
       order by 1`,
      [region],
    );

  it('change keys become visible in their order, even if a later transaction commits first', async () => {
    const { db } = database;
    const seen: number[] = [];
    const look = async () => {
      const rows = await rowsOf<{ key: number }>(
        db,
        'select change_seq as key from ops.night_change where change_seq > $1 order by 1',
        [seen.at(-1) ?? 0],
      );
      seen.push(...rows.map(({ key }) => key));
    };
    const [hasDrawn, mayEnd] = [gate(), gate()];
    const slow = db.tx(async (tx) => {
      await noteNights(tx, { region: 'uk', from: dateOf(3), at });
      hasDrawn.resolve();
      await mayEnd.promise;
    });
    await hasDrawn.promise;
    const quick = db.tx((tx) => noteNights(tx, { region: 'ie', from: dateOf(3), at }));
    // Until it has ended or waits for the other.
    let isOver = false;
    quick.then(() => {
      isOver = true;
    });
    while (!isOver && !(await waitsForLock())) await sleep(5);
    await look();
    mayEnd.resolve();
    await Promise.all([slow, quick]);
    await look();
    const all = await rowsOf<{ key: number }>(db, 'select distinct change_seq as key from ops.night_change order by 1');
    expect([...new Set(seen)]).toEqual(all.map(({ key }) => key));
    expect(all).toHaveLength(2);
  });

  it('change keys of derived data increase with those data alone, also when they are deleted', async () => {
    const { db } = database;
    await db.tx((tx) => noteNights(tx, { region: 'uk', from: dateOf(1), at }));
    const note = (derived: string[], forgottenFrom: string | null) =>
      db.tx((tx) => noteDerivedNights(tx, { region: 'uk', derived, forgottenFrom, at }));
    await note([1, 2, 3].map(dateOf), null);
    const first = await keys();
    await note([], dateOf(3));
    const second = await keys();
    expect(second.map(({ key }) => key)).toEqual(first.map(({ key }) => key));
    expect(second.map(({ derived }, n) => derived! > first[n]!.derived!)).toEqual([false, false, true]);
  });

  async function waitsForLock(): Promise<boolean> {
    const rows = await rowsOf(
      database.db,
      `select from pg_locks
       where locktype = 'relation'
         and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length > 0;
  }
});

function run(runId: number, region: string, date: string) {
  const figures = { products_listed: 1, products_available: 1, requests_spent: 1 };
  return runRow(`${date}T02:00:00Z`, { run_id: runId, region, finished_at: `${date}T02:30:00Z`, ...figures });
}

function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((open) => {
    resolve = open;
  });
  return { promise, resolve };
}
