import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { ask, pageOf, productKeys } from './asking.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 2000, date: '2026-03-01' });
});
afterAll(() => simulator.close());

describe('search', () => {
  it('a search by words finds at most 24 products, on the first page whatever is requested', async () => {
    const { body } = await ask(simulator, '/product-search-by-keyword?query=fresh%20fruit&page=3');
    expect(Object.keys(body.data)).toEqual(['query', 'pageInformation', 'popularFilters', 'products']);
    expect(body.data.query).toBe('fresh fruit');
    expect(body.data.pageInformation).toMatchObject({ currentPage: 1, resultsOnPage: 24, resultsPerPage: 24 });
    expect(body.data.pageInformation.totalResults).toBeGreaterThan(24);
    for (const product of body.data.products) {
      expect(Object.keys(product)).toEqual(productKeys);
      expect(product.categoryBreadcrumbs[1].name).toBe('Fresh Fruit');
    }
    const [filter] = body.data.popularFilters;
    expect((await ask(simulator, pageOf('uk', filter.id))).body.data.products.length).toBeGreaterThan(0);
  });

  it('a search by barcode may find unrelated products as well, and an empty list if nothing matches', async () => {
    const record = [...simulator.truth('uk', '2026-03-01')].find(({ gtin }) => gtin?.startsWith('0506'))!;
    const { body } = await ask(simulator, `/product-search-by-keyword?query=${record.gtin!.slice(1)}`);
    expect(body.data.products[0].id).toBe(record.productId);
    expect((await ask(simulator, '/product-search-by-keyword?query=zeppelin')).body.data.products).toEqual([]);
  });

  it('an empty or overlong query is refused', async () => {
    expect((await ask(simulator, '/product-search-by-keyword')).body).toEqual({
      success: false,
      message: 'Invalid request: Query is required',
      error: 'VALIDATION_ERROR',
    });
    expect((await ask(simulator, `/product-search-by-keyword?query=${'x'.repeat(201)}`)).status).toBe(400);
  });
});
