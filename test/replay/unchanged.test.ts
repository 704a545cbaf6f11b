import { beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/run/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import type { FaultRule } from '../../src/simulator/index.ts';
import { physicalDump } from '../support/dump.ts';
import { useReplayedBook } from './replayed-book.ts';
import cases from './unchanged.json' with { type: 'json' };

/**
 * Dates and faults of unchanged.json. The third night has no chance in its first fault: which page draws what depends
 * on the order of arrival, and the night must end partial.
 */
const nights = cases.nights as [string, FaultRule[]][];
const [first, , third, , last] = nights.map(([date]) => date) as [string, string, string, string, string];

describe('replaying nights with many errors by the mapping they were crawled with', () => {
  const changing = { dailyChange: 0.1, dailyTurnover: 0.01, flicker: 0.02, promoted: 0.4, unavailable: 0.1 };
  const book = useReplayedBook({ items: 160, superDepartments: 3, ...changing }, ['uk']);
  let lastRun: Run;
  beforeAll(async () => {
    for (const [night, faults] of nights) {
      book.simulator.change({ faults });
      [lastRun] = (await book.crawl(night)) as [Run];
    }
  });

  test('a replay reproduces failed pages, conflicting products and quarantined elements', async () => {
    const { db } = book.installation;
    const [trouble] = await rowsOf(
      db,
      `select exists (select from ops.category_page where status = 'failed') as failed,
         exists (select from ops.quarantine) as quarantined,
         array(select snapshot_date from ops.run where verdict = 'partial' order by 1) as partial`,
    );
    expect(trouble).toMatchObject({ failed: true, quarantined: true });
    expect(trouble!['partial']).toEqual(expect.arrayContaining([third, last]));
    const asked = book.simulator.log();
    await expectNoDifference(first);
    expect(book.simulator.log()).toEqual(asked);
  });

  test.each([
    ['one in between', third],
    ['the last one', last],
  ])('a replay of one night finds no difference: %s', async (_, night) => {
    const { nights: replayed, differences } = await book.replay({ from: night, to: night });
    expect(differences).toEqual([]);
    expect(replayed.map(({ live }) => live)).toEqual(replayed.map((each) => each.replayed));
  });

  test('a replay reproduces a partial night that a person released', async () => {
    await book.release(lastRun.runId, 'the shelf was emptied for repairs');
    for (const from of [third, last]) await expectNoDifference(from);
  });

  test('a replay reads titles again that an earlier parser read otherwise', async () => {
    const { db } = book.installation;
    const read = () =>
      rowsOf(
        db,
        `select product_id, title, pack_size, pack_measure, pack_count, plain_name, match_key::text from catalog.product
         where pack_size is not null order by product_id`,
      );
    const before = await read();
    expect(before.length).toBeGreaterThan(50);
    await db.query(`update catalog.product set pack_size = 2 * pack_size, plain_name = 'other'`);
    await db.query('update catalog.product_history set pack_size = 2 * pack_size');
    const report = await book.replay({ from: first, to: last }, { apply: true });
    expect(report.isApplied).toBe(true);
    expect(new Set(report.differences.map(({ field }) => field))).toEqual(new Set(['pack_size', 'plain_name']));
    expect(await read()).toEqual(before);
  });

  test('a replay of earlier nights finds no difference in products that were renamed after them', async () => {
    const { db } = book.installation;
    await db.query(
      `insert into catalog.product_history
       select former.*
       from (select max(observed_at) as at from ops.run) as last, catalog.product p,
         jsonb_populate_record(null::catalog.product_history, to_jsonb(p) || jsonb_build_object('valid_to', at))
           as former
       where p.valid_from < at`,
    );
    await db.query(
      `update catalog.product p set title = 'Renamed', valid_from = h.valid_to
       from catalog.product_history h where h.product_key = p.product_key and h.valid_from = p.valid_from`,
    );
    expect((await book.replay({ from: first, to: third })).differences).toEqual([]);
  });

  async function expectNoDifference(from: string): Promise<void> {
    const { db } = book.installation;
    const dump = async () => ({ catalogue: await physicalDump(db), ledger: await ledgerDump() });
    const before = await dump();
    const report = await book.replay({ from, to: last }, { apply: true });
    expect(report).toMatchObject({ differences: [], isApplied: false });
    expect(await dump()).toEqual(before);
  }

  /** The ledger; units are numbered in the order in which they are planned, which nothing else depends on. */
  function ledgerDump() {
    const tables = ['run', 'certificate', 'finding', 'category_crawl', 'category_page', 'detail_fetch', 'quarantine'];
    const lines = tables.map(
      (table) => `select '${table}', (to_jsonb(t) - 'unit_id')::text as line from ops.${table} t`,
    );
    return rowsOf(book.installation.db, `${lines.join(' union all ')} order by 1, 2`);
  }
});
