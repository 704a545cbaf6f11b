import { beforeEach, describe, expect, test } from 'vitest';
import type { ListedProduct } from '../../src/base/model/index.ts';
import { readFindings } from '../../src/crawl/status/certificates.ts';
import { publish } from '../../src/publish/publish.ts';
import { examine } from '../../src/publish/quality/checks/index.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import {
  claimAll,
  enlistWorker,
  finishReading,
  listed,
  openRun,
  promoted,
  readOf,
  stageOne,
} from '../support/open-run.ts';

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
    'promotion-dates': (product) => ({ ...product, promotions: [promotedUntil('2026-01-01')] }),
    'unit-price': (product) => ({ ...product, unitPrice: '9' }),
    'duplicate-gtin': (product) => ({ ...product, gtin: '05000000000001' }),
    'price-jump': (product) => ({ ...product, priceMinor: 20_000, unitPrice: '200' }),
    'price-level': (product) => ({ ...product, productId: `9${product.productId}`, priceMinor: 9_000 }),
  };

  test.each([
    ['promotion-dates', 80, 'warn'],
    ['promotion-dates', 110, 'block'],
    ['unit-price', 80, 'warn'],
    ['unit-price', 110, 'block'],
    ['duplicate-gtin', 80, 'warn'],
    ['duplicate-gtin', 110, 'block'],
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

  async function night(date: string, products: readonly ListedProduct[]) {
    const { db } = database;
    const run = await openRun(db, { date, pages: 1 });
    const workerId = await enlistWorker(db);
    const [claim] = await claimAll(db, run.runId, workerId);
    await stageOne(db, readOf(run, claim!, workerId, products));
    await finishReading(db, run);
    const { isHeld } = await publish(db, {
      runId: run.runId,
      epoch: run.epoch,
      certified: { verdict: 'complete', reasons: [], evidence: {} },
      delistAfter: 2,
      examine,
      clock: { now: () => run.observedAt },
    });
    const findings = await readFindings(db, run.runId);
    return { isHeld, findings: findings.map(({ severity, name }) => `${severity} ${name}`) };
  }
});

const promotedUntil = (until: string) =>
  promoted({ description: 'Any 2 for £3', endsAt: new Date(`${until}T00:00:00Z`) });
