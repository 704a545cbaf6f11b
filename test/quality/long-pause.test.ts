import { beforeEach, describe, expect, test } from 'vitest';
import { readLongPause } from '../../src/publish/quality/evidence/long-pause.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

/** A run of the evening of 1 March that read pages and details at these instants. */
async function run({
  pages,
  details = [],
  upstream = 'grocery',
}: {
  pages: string[];
  details?: string[];
  upstream?: string;
}) {
  const { db } = database;
  await db.query(
    `insert into ops.run (run_id, region, snapshot_date, observed_at, started_at, max_details, origin, upstream)
     overriding system value values (1, 'uk', '2026-03-01', '2026-03-01T20:00:00Z', '2026-03-01T20:00:00Z', 0,
       'command', $1)`,
    [upstream],
  );
  await db.query(
    `insert into ops.category_page (run_id, category_no, page_no, status, fetched_at)
     select 1, 1, n, 'done', at from unnest($1::timestamptz[]) with ordinality as page (at, n)`,
    [pages],
  );
  await db.query(
    `insert into ops.detail_fetch (run_id, product_id, place, reason, status, fetched_at)
     select 1, n::text, n, 'new', 'done', at from unnest($1::timestamptz[]) with ordinality as detail (at, n)`,
    [details],
  );
  return readLongPause(db, 1);
}

describe('a pause of half a day past midnight', () => {
  beforeEach(async () => {
    await database.db.query('truncate ops.run, ops.category_page cascade');
  });

  test('a pause is found between two pages, and before the first', async () => {
    const evening = '2026-03-01T20:10:00Z';
    expect(await run({ pages: [evening, '2026-03-02T09:10:00Z'] })).toEqual({ hours: 13, until: '2026-03-02' });
    await database.db.query('truncate ops.run, ops.category_page cascade');
    expect(await run({ pages: ['2026-03-02T10:00:00Z'] })).toEqual({ hours: 14, until: '2026-03-02' });
  });

  test('no pause is found while details are read, nor if it is shorter or ends on the same date', async () => {
    const details = ['2026-03-02T01:00:00Z', '2026-03-02T08:00:00Z'];
    expect(await run({ pages: ['2026-03-01T20:10:00Z', '2026-03-02T09:10:00Z'], details })).toBe(null);
    await database.db.query('truncate ops.run, ops.category_page cascade');
    expect(await run({ pages: ['2026-03-01T20:10:00Z', '2026-03-02T08:00:00Z'] })).toBe(null);
  });

  test('no pause is found in a simulator, which shows the night of its date at any time', async () => {
    const pages = ['2026-03-01T20:10:00Z', '2026-03-04T09:10:00Z'];
    expect(await run({ pages, upstream: 'simulator seed=1 items=40 date=2026-03-01' })).toBe(null);
  });
});
