import { beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import type { ReplayReport } from '../../src/publish/replay/replay-archive.ts';
import { physicalDump } from '../support/dump.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';
import { ledgerDump } from './ledger-dump.ts';
import { useReplayedBook } from './replayed-book.ts';

const nights = ['2026-03-27', '2026-03-28', '2026-03-29'];

describe('replaying with the mapping the nights were crawled with', () => {
  const book = useReplayedBook({
    items: 120,
    superDepartments: 2,
    dailyChange: 0.1,
    dailyTurnover: 0.01,
    flicker: 0.01,
    promoted: 0.4,
    unavailable: 0.1,
  });
  beforeAll(async () => {
    for (const night of nights) await book.crawl(night);
  });

  test.each([
    ['one in between', nights[1]!, nights[1]!],
    ['the last one', nights[2]!, nights[2]!],
  ])('a replay with the same mapping finds no difference: %s', async (_, from, to) => {
    expectNoDifference(await book.replay({ from, to }, { regions: ['uk'] }));
  });

  test.each([['listing'], ['detail']] as const)('a replay of one part finds no difference: %s', async (part) => {
    const report = await book.replay({ from: nights[1]!, to: nights[2]! }, { parts: [part], regions: ['ie'] });
    expect(report.nights).toHaveLength(2);
    expect(report.rows).toEqual([]);
  });

  test('a replay of all nights finds no difference, writes nothing, and leaves nothing behind', async () => {
    const { db } = book.installation;
    await db.query(
      `insert into ops.payload_profile (run_id, endpoint, region, snapshot_date, payloads, profile, rules, taken_at)
       select run_id, region || '-category-page', region, snapshot_date, 1, '{}', 1, finished_at from ops.run`,
    );
    const before = { rows: await physicalDump(db), ledger: await ledgerDump(db) };
    const asked = book.simulator.log();
    const report = await book.replay({ from: nights[0]!, to: nights[2]! }, { apply: true });
    expectNoDifference(report);
    expect(report.nights).toHaveLength(6);
    expect(report).toMatchObject({ isApplied: true, oldCopy: null });
    expect({ rows: await physicalDump(db), ledger: await ledgerDump(db) }).toEqual(before);
    expect(book.simulator.log()).toEqual(asked);
    expect(await schemas()).toEqual(['catalog', 'marts', 'ops', 'stage']);
  });

  test('a replay does not affect the night after it', async () => {
    const runs = await book.crawl('2026-03-30');
    for (const { region, snapshotDate, verdict } of runs) {
      expect(verdict).toBe('complete');
      expect(await disagreements(book.installation.db, book.simulator, region, snapshotDate)).toEqual([]);
    }
    expect(await brokenInvariants(book.installation.db)).toEqual([]);
  });

  function expectNoDifference({ rows, differences, healing, nights: replayed }: ReplayReport): void {
    expect({ rows, differences, healing }).toEqual({ rows: [], differences: [], healing: { healed: 0, rejected: 0 } });
    expect(replayed.map(({ live }) => live)).toEqual(replayed.map((night) => night.replayed));
  }

  async function schemas() {
    const rows = await rowsOf<{ name: string }>(
      book.installation.db,
      `select nspname as name from pg_namespace where nspname ~ '^(catalog|stage|ops|marts)' order by 1`,
    );
    return rows.map(({ name }) => name);
  }
});
