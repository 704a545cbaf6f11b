import { beforeAll, describe, expect, test } from 'vitest';
import type { SimulatorChange } from '../../src/simulator/index.ts';
import { physicalDump } from '../support/dump.ts';
import { ledgerDump } from './ledger-dump.ts';
import { useReplayedBook } from './replayed-book.ts';

const silent = { kind: 'gateway404', endpoint: 'product-details' } as const;
const unlisted = { kind: 'unlisted', share: 0.27 } as const;

/** The upstream's behaviour on each night and the expected verdict. */
const nights: readonly (readonly [string, SimulatorChange, string])[] = [
  ['2026-03-01', {}, 'complete'],
  ['2026-03-02', { faults: [unlisted] }, 'partial'],
  ['2026-03-03', { withdrawn: 0.27 }, 'complete_within_tolerance'],
  ['2026-03-04', { withdrawn: 0.27 }, 'complete'],
  ['2026-03-05', { withdrawn: 0.5, faults: [silent] }, 'partial'],
  ['2026-03-06', { withdrawn: 0.5, faults: [silent] }, 'complete_within_tolerance'],
];

describe('nights on which the number of products fell', () => {
  const book = useReplayedBook({ items: 240, superDepartments: 3, dailyChange: 0.1, dailyTurnover: 0, flicker: 0 }, [
    'uk',
  ]);
  beforeAll(async () => {
    for (const [night, change, verdict] of nights) {
      book.simulator.change({ faults: [], withdrawn: 0, ...change });
      const [run] = await book.crawl(night, undefined, 0);
      expect([night, run!.verdict]).toEqual([night, verdict]);
    }
  });

  test.each(['2026-03-01', '2026-03-06'])(
    'such nights get the same verdicts when they are replayed from %s on, without a request',
    async (from) => {
      const { db } = book.installation;
      const before = { catalogue: await physicalDump(db), ledger: await ledgerDump(db) };
      book.simulator.resetLog();
      const report = await book.replay({ from, to: '2026-03-06' }, { apply: true });
      expect(report.nights.map(({ snapshotDate, replayed }) => [snapshotDate, replayed.verdict])).toEqual(
        nights.filter(([night]) => night >= from).map(([night, , verdict]) => [night, verdict]),
      );
      expect(report.rows).toEqual([]);
      expect({ catalogue: await physicalDump(db), ledger: await ledgerDump(db) }).toEqual(before);
      expect(book.simulator.log().total).toBe(0);
    },
  );
});
