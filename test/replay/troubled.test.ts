import { beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import type { FaultRule } from '../../src/simulator/index.ts';
import { physicalDump } from '../support/dump.ts';
import { ledgerDump } from './ledger-dump.ts';
import { useReplayedBook } from './replayed-book.ts';

const nights: readonly (readonly [string, readonly FaultRule[]])[] = [
  ['2026-03-01', [{ kind: 'conflictingPrice' }]],
  [
    '2026-03-02',
    [
      { kind: 'nullTitle', endpoint: 'category-page', probability: 0.2 },
      { kind: 'successFalse200', endpoint: 'category-page', probability: 0.1 },
    ],
  ],
  [
    '2026-03-03',
    [
      // No chance in it: which page draws what depends on the order of arrival, and the night must end partial.
      { kind: 'html200', endpoint: 'category-page', pages: [2], after: 1 },
      { kind: 'graphqlErrors', probability: 0.05 },
    ],
  ],
  [
    '2026-03-04',
    [
      { kind: 'duplicates', endpoint: 'category-page', probability: 0.3 },
      { kind: 'sponsored', probability: 0.2 },
      { kind: 'nullNodes', probability: 0.2 },
      { kind: 'wrongTotal', probability: 0.05, delta: 3 },
    ],
  ],
  [
    '2026-03-05',
    [
      { kind: 'conflictingPrice', probability: 0.2 },
      { kind: 'html200', endpoint: 'category-page', pages: [2] },
    ],
  ],
];

describe('nights with many errors', () => {
  const book = useReplayedBook(
    { items: 160, superDepartments: 3, dailyChange: 0.1, dailyTurnover: 0.01, flicker: 0.02 },
    ['uk'],
  );
  let last: Run;
  beforeAll(async () => {
    for (const [night, faults] of nights) {
      book.simulator.change({ faults });
      [last] = (await book.crawl(night)) as [Run];
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
    expect(trouble!['partial']).toEqual(expect.arrayContaining(['2026-03-03', '2026-03-05']));
    await expectNoDifference('2026-03-01');
  });

  test('a replay reproduces a partial night that a person released', async () => {
    await book.release(last.runId, 'the shelf was emptied for repairs');
    await expectNoDifference('2026-03-03', '2026-03-05');
  });

  async function expectNoDifference(...firstNights: string[]): Promise<void> {
    const { db } = book.installation;
    for (const from of firstNights) {
      const before = { catalogue: await physicalDump(db), ledger: await ledgerDump(db) };
      const report = await book.replay({ from, to: '2026-03-05' }, { apply: true });
      expect(report).toMatchObject({ rows: [], healing: { healed: 0, rejected: 0 }, oldCopy: null });
      expect({ catalogue: await physicalDump(db), ledger: await ledgerDump(db) }).toEqual(before);
    }
  }
});
