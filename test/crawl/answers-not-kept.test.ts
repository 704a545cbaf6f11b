import { describe, expect, test, vi } from 'vitest';
import { useDirectBook } from '../trust/use-direct-book.ts';

const concurrency = 4;
/** Number of responses that are stored at once (src/crawl/work-loop.ts). */
const groupSize = 64;
const patience = { timeout: 20_000, interval: 5 };

describe('answers that wait to be stored', () => {
  const trust = useDirectBook(
    { items: 4_000, superDepartments: 6, pageSize: 8, evolve: false },
    { env: { REQUEST_CONCURRENCY: String(concurrency), ARCHIVE: 'file' } },
  );

  test.each([
    ['the database', 'stage.product'],
    ['the archive', 'ops.payload'],
  ])('while %s is busy, one group and one more response wait, and no further request is sent', async (_, table) => {
    const { book, simulator } = trust;
    simulator.change({ date: '2026-03-01' });
    let sent: Promise<number> | undefined;
    const run = await book.night('uk', '2026-03-01', async ({ phase }) => {
      if (phase === 'categories') sent ??= sentWhileBusy();
    });
    const most = await sent!;
    expect(most).toBeLessThanOrEqual(2 * groupSize + concurrency);
    expect(run.verdict).toBe('complete');

    async function sentWhileBusy(): Promise<number> {
      const { total } = simulator.log();
      await vi.waitFor(() => expect(simulator.log().total - total).toBeGreaterThan(100), {
        timeout: 20_000,
        interval: 5,
      });
      return book.base.db.tx(async (tx) => {
        await tx.query(`lock table ${table} in share row exclusive mode`);
        const before = simulator.log().total;
        const sent = () => simulator.log().total - before;
        // What a page says of those after it is known once it is staged, so a busy stage may be asked for nothing more.
        if (table === 'ops.payload') await vi.waitFor(() => expect(sent()).toBeGreaterThan(groupSize), patience);
        // Long enough for any further request: a question to the database takes as long as one to the simulator.
        for (let i = 0; i < 1_000; i += 1) await tx.query('select');
        return sent();
      });
    }
  });
});
