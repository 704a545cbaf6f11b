import { beforeAll, describe, expect, test } from 'vitest';
import { composePruning } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { clockFrom } from '../../src/base/clock.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { verifyNights } from '../../src/followers/audits/verify.ts';
import { nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';
import { useReplayedBook } from './replayed-book.ts';

const nights = [1, 2, 3, 4, 5, 6].map((day) => `2026-03-0${day}`);

describe('nights whose payloads were pruned', () => {
  const book = useReplayedBook({ items: 100, superDepartments: 2, dailyChange: 0.1, dailyTurnover: 0.02 }, ['uk']);
  const prune = (on: string, days: number) => {
    const { db, databaseUrl } = book.installation;
    const config = loadConfig({ DATABASE_URL: databaseUrl, PRICEBOOK_HOME: book.home }, { cwd: book.home });
    return composePruning({ config, db, clock: clockFrom(nightOf(on)) }, days);
  };
  /** The nights with pages, details and payloads. */
  const kept = (table: string) =>
    rowsOf<{ night: string }>(
      book.installation.db,
      `select distinct snapshot_date::text as night from ops.run join ${table} using (run_id) order by 1`,
    ).then((rows) => rows.map(({ night }) => night));

  beforeAll(async () => {
    for (const night of nights.slice(0, 5)) await book.crawl(night);
  });

  test('nothing is kept of a pruned page or detail, except pages of the last four nights', async () => {
    expect((await prune('2026-03-07', 3)).payloads).toBeGreaterThan(10);
    expect(await kept('ops.payload')).toEqual(nights.slice(3, 5));
    expect(await kept('ops.category_page')).toEqual(nights.slice(1, 5));
    expect(await prune('2026-03-20', 3)).toMatchObject({ payloads: expect.any(Number) });
    expect(await kept('ops.payload')).toEqual([nights[4]]);
    expect(await kept('ops.detail_fetch')).toEqual(nights.slice(1, 5));
  });

  test('pruned nights stay in the marts with verified hashes, and the next night is certified', async () => {
    const { db } = book.installation;
    const [run] = await book.crawl(nights[5]!);
    expect(run).toMatchObject({ status: 'published', verdict: 'complete' });
    for (const night of nights) expect(await disagreements(db, book.simulator, 'uk', night)).toEqual([]);
    expect((await verifyNights(db, { now: nightOf('2026-03-07') })).map(({ isSame }) => isSame)).toEqual(
      nights.map(() => true),
    );
    expect(await brokenInvariants(db)).toEqual([]);
  });

  test('pruned nights are not replayed, which is reported; later nights are', async () => {
    for (const from of nights.slice(0, 4)) {
      await expect(book.replay({ from, to: nights[5]! })).rejects.toThrow(
        new RegExp(`no payloads of uk ${from}: they were pruned .* Replay later nights only`),
      );
    }
    expect((await book.replay({ from: nights[4]!, to: nights[5]! })).differences).toEqual([]);
  });
});
