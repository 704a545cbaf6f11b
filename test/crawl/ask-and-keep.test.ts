import { describe, expect, test, vi } from 'vitest';
import { useDirectBook } from '../trust/use-direct-book.ts';

const concurrency = 4;

describe('answers that wait to be stored', () => {
  // Thirty pages, several jobs of them at once.
  const trust = useDirectBook(
    { items: 240, superDepartments: 6, pageSize: 8, evolve: false },
    { env: { REQUEST_CONCURRENCY: String(concurrency), ARCHIVE: 'file' } },
  );

  test.each([
    ['the database', 'stage.listing'],
    ['the archive', 'ops.payload'],
  ])('keep their places while %s is busy: no more is asked than may be in flight', async (_, table) => {
    const { book, simulator } = trust;
    simulator.change({ date: '2026-03-01' });
    let sent = 0;
    let busy: Promise<void> | null = null;
    const run = await book.night('uk', '2026-03-01', async ({ phase }) => {
      if (phase === 'listing') await beginBusy();
    });
    await busy;
    expect(sent).toBe(concurrency);
    expect(run.verdict).toBe('complete');

    function beginBusy(): Promise<void> {
      return new Promise((locked, failed) => {
        busy = book.base.db.tx(async (tx) => {
          await tx.query(`lock table ${table} in share row exclusive mode`);
          const before = simulator.log().total;
          locked();
          await vi.waitFor(() => expect(simulator.log().total - before).toBeGreaterThanOrEqual(concurrency), 20_000);
          // Long enough for any further request: a question to the database takes as long as one to the simulator.
          for (let i = 0; i < 300; i += 1) await tx.query('select');
          sent = simulator.log().total - before;
        });
        busy.catch(failed);
      });
    }
  });
});
