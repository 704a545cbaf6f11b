import { beforeEach, describe, expect, test } from 'vitest';
import type { ListedProduct } from '../../src/base/model/index.ts';
import { createRuns } from '../../src/crawl/run/runs.ts';
import { readFindings } from '../../src/questions/certificates.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { publishOnePage } from '../support/one-page-night.ts';
import { listed, promoted } from '../support/open-run.ts';

describe('checks', () => {
  const database = useDatabase();
  const catalogue = Array.from({ length: 2_000 }, (_, index) =>
    listed(String(index + 1).padStart(4, '0'), {
      priceMinor: 200,
      unitPrice: '2',
      promotions: [promotedUntil('2026-03-20')],
    }),
  );

  beforeEach(async () => {
    await forgetEverything(database.db, 'restart');
  });

  const misread: Readonly<Record<string, (product: ListedProduct) => ListedProduct>> = {
    'price-jump': (product) => ({ ...product, priceMinor: 20_000, unitPrice: '200' }),
    'price-level': (product) => ({ ...product, productId: `9${product.productId}`, priceMinor: 9_000 }),
  };

  test.each([
    ['price-jump', 8, 'warn'],
    ['price-jump', 12, 'block'],
    ['price-level', 80, 'warn'],
    ['price-level', 110, 'block'],
  ])('an unchanged night on which %s finds %i of 2,000 products gets a %s', async (check, count, severity) => {
    expect(await night('2026-03-01', catalogue)).toEqual({ isHeld: false, findings: [] });
    const wrong = catalogue.slice(0, count).map(misread[check]!);
    // Wrong records with their own id are added, others replace the correct ones.
    const right = catalogue.filter(({ productId }) => wrong.every((product) => product.productId !== productId));
    const second = await night('2026-03-02', [...wrong, ...right]);
    expect(second).toEqual({ isHeld: severity === 'block', findings: [`${severity} ${check}`] });
  });

  test('an upstream that shows the same for three nights is reported, and one that changes is not', async () => {
    await night('2026-03-01', catalogue);
    expect((await night('2026-03-02', catalogue)).findings).toEqual([]);
    expect((await night('2026-03-03', catalogue)).findings).toEqual([]);
    expect(await night('2026-03-04', catalogue)).toEqual({ isHeld: false, findings: ['warn nothing-changed'] });
    const [first, ...others] = catalogue;
    expect((await night('2026-03-05', [{ ...first!, priceMinor: 190 }, ...others])).findings).toEqual([]);
    expect((await night('2026-03-06', [{ ...first!, priceMinor: 190 }, ...others])).findings).toEqual([]);
  });

  async function night(date: string, products: readonly ListedProduct[]) {
    const { db } = database;
    const runId = await publishOnePage(db, date, products);
    const { status } = await createRuns(db).byId(runId);
    const findings = await readFindings(db, runId);
    return { isHeld: status === 'held', findings: findings.map(({ severity, name }) => `${severity} ${name}`) };
  }
});

const promotedUntil = (until: string) =>
  promoted({ description: 'Any 2 for £3', endsAt: new Date(`${until}T00:00:00Z`) });
