import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { composeFolding, composePruning } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { foldLedger } from '../../src/ledger/fold.ts';
import { everyDetail, everyPage, everyPayload, type Folding, foldings, unfold } from '../../src/ledger/folded.ts';
import { type ReplayedBook, useReplayedBook } from '../replay/replayed-book.ts';
import { nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const nights = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07'];
const old = nights.slice(0, 3);

describe('folding what the ledger keeps of old runs', () => {
  const book = useReplayedBook({ items: 150, superDepartments: 3, dailyChange: 0.1, dailyTurnover: 0.01 }, ['uk']);
  let before: Awaited<ReturnType<typeof ledger>>;
  beforeAll(async () => {
    for (const night of nights) {
      // Pages that fail, and readings that are repeated.
      book.simulator.change({
        faults:
          night === nights[1] ? [{ kind: 'vendor400', endpoint: 'category-page', pages: [2], probability: 0.4 }] : [],
      });
      await book.crawl(night);
    }
    before = await ledger(book);
  });

  test('keeps every column of a table, or knows what is left of it in an old run', async () => {
    for (const folding of foldings) {
      const own = await columnsOf(book, folding.table);
      const known = [...folding.shared, ...folding.folded, ...Object.keys(folding.forgotten)];
      expect([...known].sort()).toEqual(own.sort());
      const arrays = await columnsOf(book, folding.fold);
      expect(folding.folded.filter((name) => !arrays.includes(name))).toEqual([]);
    }
  });

  test('leaves a run that is not old enough as it is', async () => {
    expect(await fold('2026-03-01')).toEqual({ runs: 0, rows: 0 });
    expect(await composeFolding({ clock: { now: () => nightOf('2026-03-15') }, db: book.installation.db })(14)).toEqual(
      {
        runs: 0,
        rows: 0,
      },
    );
    expect(await composeFolding({ clock: { now: () => nightOf('2036-03-15') }, db: book.installation.db })(0)).toEqual({
      runs: 0,
      rows: 0,
    });
  });

  test('leaves runs that are open or held as they are', async () => {
    const { db } = book.installation;
    for (const status of ['open', 'held']) {
      await db.query(`update ops.run set status = $1 where snapshot_date = '2026-03-01'`, [status]);
      expect(await fold('2026-03-02')).toEqual({ runs: 0, rows: 0 });
    }
    await db.query(`update ops.run set status = 'published' where snapshot_date = '2026-03-01'`);
  });

  test('killed in the middle of it leaves the ledger as it was', async () => {
    const { db } = book.installation;
    await db.withClient(async (holder) => {
      await holder.query('begin');
      await holder.query('lock table ops.payload_fold in share mode');
      const child = pruning('2026-06-01');
      await until(() => waitsFor('ops.payload_fold'));
      child.kill('SIGKILL');
      await once(child, 'close');
      await holder.query('rollback');
    });
    await until(async () => !(await waitsFor('ops.payload_fold')));
    expect(await ledger(book)).toEqual(before);
    expect(await rowsOf(db, 'select 1 from ops.page_fold union all select 1 from ops.detail_fold')).toEqual([]);
  });

  test('stands in nobody’s way: a night is crawled and published while a fold has not ended', async () => {
    const { db } = book.installation;
    await db.withClient(async (holder) => {
      await holder.query('begin');
      await holder.query('lock table ops.payload_fold in share mode');
      const folding = fold('2026-06-01');
      await until(() => waitsFor('ops.payload_fold'));
      const [run] = await book.crawl('2026-03-08');
      expect(run).toMatchObject({ status: 'published', verdict: 'complete' });
      await holder.query('rollback');
      expect(await folding).toMatchObject({ runs: 3 });
    });
    expect(await disagreements(db, book.simulator, 'uk', '2026-03-08')).toEqual([]);
  });

  test('leaves a row a category and endpoint, and the last nights whole', async () => {
    const { db } = book.installation;
    const left = await rowsOf<{ night: string; pages: number; details: number; payloads: number; folds: number }>(
      db,
      `select snapshot_date::text as night, (select count(*)::int from ops.category_page p where p.run_id = r.run_id) as pages,
         (select count(*)::int from ops.detail_fetch p where p.run_id = r.run_id) as details,
         (select count(*)::int from ops.payload p where p.run_id = r.run_id) as payloads,
         (select count(*)::int from ops.page_fold p where p.run_id = r.run_id)
           - (select count(*)::int from ops.category_crawl p where p.run_id = r.run_id) as folds
       from ops.run r order by 1`,
    );
    expect(left.slice(0, 3)).toEqual(old.map((night) => ({ night, pages: 0, details: 0, payloads: 0, folds: 0 })));
    for (const { pages, payloads } of left.slice(-4)) expect(Math.min(pages, payloads)).toBeGreaterThan(5);
    const folds = await rowsOf<{ endpoint: string; payloads: number }>(
      db,
      'select endpoint, count(*)::int as folds from ops.payload_fold group by endpoint order by 1',
    );
    expect(folds).toEqual([
      { endpoint: 'uk-category-page', folds: 3 },
      { endpoint: 'uk-product-details', folds: 3 },
      { endpoint: 'uk-taxonomy', folds: 3 },
    ]);
  });

  test('keeps every page, detail and payload to the last value', async () => {
    const after = await ledger(book);
    for (const part of ['pages', 'details', 'payloads'] as const) {
      expect(after[part].slice(0, before[part].length)).toEqual(before[part]);
    }
    expect(await brokenInvariants(book.installation.db)).toEqual([]);
  });

  test('changes nothing the second time', async () => {
    await fold('2026-06-01');
    const folded = await ledger(book);
    expect((await Promise.all([fold('2026-06-01'), fold('2026-06-01')])).map(({ rows }) => rows)).toEqual([0, 0]);
    await book.installation.db.tx((tx) => unfold(tx, [1, 2]));
    const both = await Promise.all([fold('2026-06-01'), fold('2026-06-01')]);
    expect(both.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(100);
    expect(await ledger(book)).toEqual(folded);
    expect(await brokenInvariants(book.installation.db)).toEqual([]);
  });

  test('keeps counts only once the archive has forgotten the payloads', async () => {
    const { db, databaseUrl } = book.installation;
    const config = loadConfig({ DATABASE_URL: databaseUrl, PRICEBOOK_HOME: book.home }, { cwd: book.home });
    const forget = (date: string) => composePruning({ config, db, clock: { now: () => nightOf(date) } })(90);
    const [first] = await rowsOf<{ payload_id: number; sha256: Buffer; run_id: number }>(
      db,
      `select * from ${everyPayload} p where run_id = 1 and endpoint = 'uk-category-page' order by payload_id limit 1`,
    );
    await db.query(
      `insert into ops.quarantine (run_id, region, endpoint, path, reason, payload_sha256, seen_at)
       values (1, 'uk', 'uk-category-page', '$', 'x', $1, '2026-03-01')`,
      [first!.sha256],
    );
    const [counted] = await rowsOf<{ payloads: number }>(
      db,
      `select count(*)::int as payloads from ${everyPayload} p where run_id <= 2 and sha256 <> $1`,
      [first!.sha256],
    );
    expect(await forget('2026-05-29')).toMatchObject({ payloads: 0 });
    expect((await forget('2026-06-01')).payloads).toBe(counted!.payloads);
    const kept = await rowsOf<{ payload_id: number; sha256: Buffer }>(
      db,
      'select payload_id, sha256 from ops.payload where run_id <= 2 order by payload_id',
    );
    expect(kept[0]).toEqual({ payload_id: first!.payload_id, sha256: first!.sha256 });
    expect(kept.filter(({ sha256 }) => !sha256.equals(first!.sha256))).toEqual([]);
    expect(await rowsOf(db, 'select 1 from ops.payload_fold where run_id <= 2')).toEqual([]);
    expect(await rowsOf(db, `select 1 from ${everyPage} p where run_id <= 2`)).toEqual([]);
    expect(await rowsOf(db, `select 1 from ${everyDetail} p where run_id <= 2`)).toEqual([]);
    expect(
      await rowsOf(
        db,
        `select run_id, sum(pages_read) > 5 as is_counted from ops.page_fold where page_no is null group by 1 order by 1`,
      ),
    ).toEqual([1, 2].map((run_id) => ({ run_id, is_counted: true })));
    await db.query('delete from ops.quarantine');
    expect(await brokenInvariants(db)).toEqual([]);
    await expect(book.replay({ from: nights[1]!, to: nights[6]! })).rejects.toThrow(
      /lacks \d\d of the payloads of uk 2026-03-02: they were pruned/,
    );
    expect((await book.replay({ from: nights[2]!, to: '2026-03-08' })).rows).toEqual([]);
    // As pruning leaves a night whose bodies another one received, too: they are there, and which was its taxonomy is forgotten.
    await db.query('delete from ops.payload where run_id = 5');
    await expect(book.replay({ from: nights[4]!, to: '2026-03-08' })).rejects.toThrow(
      /lacks 1 of the payloads of uk 2026-03-05: they were pruned .* Replay later nights only/,
    );
    // A second time, there is nothing to do.
    expect(await fold('2026-06-01')).toEqual({ runs: 0, rows: 0 });
  });

  const fold = (before: string) => foldLedger(book.installation.db, { before: nightOf(before) });

  function pruning(now: string): ChildProcess {
    return spawn(process.execPath, ['--import', 'tsx', program, '--now', `${now}T14:00:00Z`, 'prune'], {
      env: { ...process.env, DATABASE_URL: book.installation.databaseUrl, PRICEBOOK_HOME: book.home },
      stdio: 'ignore',
    });
  }

  async function waitsFor(table: string): Promise<boolean> {
    const rows = await rowsOf(
      book.installation.db,
      `select 1 from pg_locks where relation = to_regclass($1) and not granted`,
      [table],
    );
    return rows.length > 0;
  }
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

async function columnsOf(book: ReplayedBook, table: string): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    book.installation.db,
    'select attname::text as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
    [table],
  );
  return rows.map(({ name }) => name);
}

/** What the ledger says of pages, details and payloads, wherever it lies, but for what workers left on them. */
async function ledger({ installation: { db } }: ReplayedBook) {
  const linesOf = async (rows: string, { shared, folded, order }: Folding) => {
    const columns = [...shared, ...folded].map((name) => `x.${name}`).join(', ');
    const lines = await rowsOf<{ line: string }>(
      db,
      `select row(${columns})::text as line from ${rows} x order by run_id, ${shared.join(', ')}, ${order}`,
    );
    return lines.map(({ line }) => line);
  };
  const [pages, details, payloads] = foldings as [Folding, Folding, Folding];
  return {
    pages: await linesOf(everyPage, pages),
    details: await linesOf(everyDetail, details),
    payloads: await linesOf(everyPayload, payloads),
  };
}
