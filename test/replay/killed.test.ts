import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { physicalDump } from '../support/dump.ts';
import { disagreements } from '../support/truth.ts';
import { misreadingProducts } from './mistaken.ts';
import { useReplayedBook } from './replayed-book.ts';

const program = fileURLToPath(new URL('../../src/cli/pricebook.js', import.meta.url));

describe('a replay that is killed', () => {
  const nights = ['2026-03-01', '2026-03-02'];
  const book = useReplayedBook({ items: 150, superDepartments: 4, dailyChange: 0.1 }, ['uk']);
  const dearer = misreadingProducts((p) => ({ ...p, priceMinor: p.priceMinor === null ? null : p.priceMinor + 1 }));
  beforeAll(async () => {
    for (const night of nights) await book.crawl(night, { endpointsOf: dearer });
  });

  test('a replay killed while it is applied leaves the catalogue unchanged', async () => {
    const { db } = book.installation;
    const before = await physicalDump(db);
    // Reads continue; the first write to this table waits.
    await db.withClient(async (holder) => {
      await holder.query('begin');
      await holder.query('lock table catalog.price_history in share mode');
      const child = replayProcess();
      await until(async () => (await waitingFor('catalog.price_history')) > 0);
      child.kill('SIGKILL');
      await once(child, 'close');
      await holder.query('rollback');
    });
    await until(async () => (await waitingFor('catalog.price_history')) === 0);
    expect(await physicalDump(db)).toEqual(before);

    const child = replayProcess();
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    for (const night of nights) expect(await disagreements(db, book.simulator, 'uk', night)).toEqual([]);
  });

  test('a second replay of a region waits for the first, and finds nothing to do', async () => {
    const range = { from: nights[0]!, to: nights[1]! };
    const mapping = { endpointsOf: dearer };
    const [first, second] = await Promise.all([
      book.replay(range, { ...mapping, apply: true }),
      book.replay(range, { ...mapping, apply: true }),
    ]);
    expect([first.isApplied, second.isApplied].sort()).toEqual([false, true]);
  });

  function replayProcess(): ChildProcess {
    const args = ['replay', '--from', nights[0]!, '--to', nights[1]!, '--region', 'uk', '--apply'];
    return spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env['PATH'], DATABASE_URL: book.installation.databaseUrl, PRICEBOOK_HOME: book.home },
      stdio: 'ignore',
    });
  }

  async function waitingFor(table: string): Promise<number> {
    const [row] = await rowsOf<{ waiting: number }>(
      book.installation.db,
      'select count(*)::int as waiting from pg_locks where relation = $1::regclass and not granted',
      [table],
    );
    return row!.waiting;
  }

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await sleep(50);
  }
});
