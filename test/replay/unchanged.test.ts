import { beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { physicalDump } from '../support/dump.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';
import { ledgerDump } from './ledger-dump.ts';
import { useReplayedBook } from './replayed-book.ts';

const nights = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30'];

describe('replaying with the mapping the nights were crawled with', () => {
  const book = useReplayedBook({
    items: 120,
    superDepartments: 4,
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
    ['all nights', nights[0]!, nights[3]!],
    ['the last ones', nights[2]!, nights[3]!],
    ['the last one', nights[3]!, nights[3]!],
    ['some in between', nights[1]!, nights[2]!],
    ['the first ones', nights[0]!, nights[1]!],
  ])('finds no difference: %s', async (_, from, to) => {
    const report = await book.replay({ from, to });
    expect(report.rows).toEqual([]);
    expect(report.differences).toEqual([]);
    expect(report.healing).toEqual({ healed: 0, rejected: 0 });
    expect(report.nights.map(({ live }) => live)).toEqual(report.nights.map(({ replayed }) => replayed));
  });

  test.each([['listing'], ['detail']] as const)('finds none in one part of it either: %s', async (part) => {
    const report = await book.replay({ from: nights[1]!, to: nights[3]! }, { parts: [part] });
    expect(report.rows).toEqual([]);
  });

  test('writes nothing when applied, and leaves nothing behind', async () => {
    const before = { rows: await physicalDump(book.installation.db), ledger: await ledgerDump(book.installation.db) };
    const asked = book.simulator.log();
    const report = await book.replay({ from: nights[0]!, to: nights[3]! }, { apply: true });
    expect(report).toMatchObject({ isApplied: true, oldCopy: null });
    expect({ rows: await physicalDump(book.installation.db), ledger: await ledgerDump(book.installation.db) }).toEqual(
      before,
    );
    expect(book.simulator.log()).toEqual(asked);
    expect(await schemas()).toEqual(['catalog', 'marts', 'ops', 'stage']);
  });

  test('goes unseen by the night after it', async () => {
    await book.replay({ from: nights[1]!, to: nights[3]! }, { apply: true });
    const runs = await book.crawl('2026-03-31');
    for (const { region, snapshotDate, verdict } of runs) {
      expect(verdict).toBe('complete');
      expect(await disagreements(book.installation.db, book.simulator, region, snapshotDate)).toEqual([]);
    }
    expect(await brokenInvariants(book.installation.db)).toEqual([]);
  });

  async function schemas() {
    const rows = await rowsOf<{ name: string }>(
      book.installation.db,
      `select nspname as name from pg_namespace where nspname ~ '^(catalog|stage|ops|marts)' order by 1`,
    );
    return rows.map(({ name }) => name);
  }
});
