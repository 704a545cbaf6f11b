import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream } from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const products = Array.from({ length: 400 }, (_, index) => ({ id: String(1000 + index), price: 1 }));
const nameless = { id: '399', fields: { id: { no: 399 } } };

describe('a category with an element that cannot be parsed', () => {
  const installation = useInstallation();
  const home = mkdtempSync(join(tmpdir(), 'pricebook-gone-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('a product that its category no longer lists and whose details say it is gone is removed', async () => {
    const gone = new Set<string>();
    const upstream = await createSmallUpstream({
      shelves: { Bakery: [...products, nameless] },
      pageSize: 24,
      details: (id) => {
        const product = gone.has(id) ? null : { id, title: `Bread ${id}`, status: 'AvailableForSale', isForSale: true };
        return { status: 200, body: { success: true, data: { productId: id, results: [{ data: { product } }] } } };
      },
    });
    const crawl = (date: string) =>
      crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'], home, env: { ARCHIVE: 'file' } });
    try {
      await crawl('2026-08-01');
      gone.add('1001');
      upstream.change({ shelves: { Bakery: [...products.filter(({ id }) => id !== '1001'), nameless] } });
      await crawl('2026-08-02');
    } finally {
      await upstream.close();
    }
    const nights = await rowsOf<{ certificate: string; reasons: string }>(
      installation.db,
      `select certificate, reasons from marts.certificate order by run_id`,
    );
    expect(
      nights.map(({ certificate }) => certificate),
      JSON.stringify(nights),
    ).toEqual(['complete_within_tolerance', 'complete_within_tolerance']);
    expect(nights[1]!.reasons).toContain('in quarantine');
    const stored = await rowsOf<{ product_id: string; availability: string }>(
      installation.db,
      `select product_id, availability from marts.dim_product where product_id in ('1000', '1001') order by 1`,
    );
    expect(stored.map(({ product_id, availability }) => `${product_id} ${availability}`)).toEqual([
      '1000 available',
      '1001 absent',
    ]);
  });
});
