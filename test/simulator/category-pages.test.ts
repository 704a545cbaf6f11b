import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { ask, categoriesOf, type Element, elementsOf, pageOf, productKeys, rootsOf } from './asking.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 2000, date: '2026-03-01' });
});
afterAll(() => simulator.close());

describe('a UK category page', () => {
  it('a UK page has the envelope and the eleven keys of the vendor', async () => {
    const [root] = await rootsOf(simulator, 'uk');
    const { status, body } = await ask(simulator, pageOf('uk', root!.id, 2));
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['success', 'data']);
    expect(Object.keys(body.data)).toEqual(['categoryId', 'pageNo', 'pageInformation', 'products']);
    expect(body.data).toMatchObject({ categoryId: root!.id, pageNo: 2 });
    expect(body.data.pageInformation).toEqual({
      totalResults: expect.any(Number),
      currentPage: 2,
      resultsOnPage: 24,
      resultsPerPage: 24,
    });
    expect(body.data.products).toHaveLength(24);
    for (const product of body.data.products) expect(Object.keys(product)).toEqual(productKeys);
  });

  it('a UK page has products of the declared types', async () => {
    const products: Element[] = [];
    for (const { id } of await rootsOf(simulator, 'uk')) products.push(...(await elementsOf(simulator, 'uk', id)));

    for (const product of products) {
      expect(product.id).toMatch(/^\d{9}$/);
      expect(product.tpnb).toMatch(/^\d{8,9}$/);
      if (product.gtin !== null) expect(product.gtin).toMatch(/^\d{14}$/);
      expect(product.title).toEqual(expect.any(String));
      expect(new URL(product.imageUrl).search).toBe('?h=225&w=225');
      expect(product.categoryBreadcrumbs[0]).toEqual({
        id: expect.stringMatching(/^b;/),
        name: expect.any(String),
        level: 0,
      });
      for (const promotion of product.promotions) {
        expect(Object.keys(promotion)).toEqual(['description', 'offerType', 'startDate', 'endDate']);
        for (const date of [promotion.startDate, promotion.endDate]) {
          if (date !== null) expect(date).toMatch(/^\d{4}-\d\d-\d\dT(00|23):00:00Z$/);
        }
      }
    }
    // Variations that occur in real data, each at least once.
    expect(products.some(({ gtin }) => gtin === null)).toBe(true);
    expect(products.some(({ brand }) => brand === null)).toBe(true);
    expect(products.some(({ price }) => price === null)).toBe(true);
    expect(products.some(({ price }) => price !== null && price.price === null)).toBe(true);
    expect(products.some(({ price }) => price?.price > 0 && price.unitPrice === null)).toBe(true);
    expect(products.some(({ isForSale, price }) => !isForSale && price?.price > 0)).toBe(true);
    expect(products.some(({ price }) => Number.isInteger(price?.price))).toBe(true);
    expect(products.some(({ reviews }) => reviews === null)).toBe(true);
    expect(products.some(({ promotions }) => promotions.length > 1)).toBe(true);
    expect(products.some(({ promotions }) => promotions.some(({ startDate }: Element) => startDate === null))).toBe(
      true,
    );
    expect(products.some(({ title }) => title.includes('"'))).toBe(true);
    expect(products.some(({ title }) => /\S {2}\S/.test(title))).toBe(true);
    expect(products.some(({ title }) => title.endsWith(' '))).toBe(true);
    expect(products.some(({ title }) => title.includes('Ã'))).toBe(true);
    const units = new Set(products.map(({ price }) => price?.unitOfMeasure));
    for (const unit of ['kg', '100g', '10g', 'litre', '100ml', 'each', 'kg DR.WT']) expect(units).toContain(unit);
  });

  it('a UK page is empty past the end and for categories that do not exist', async () => {
    const [root] = await rootsOf(simulator, 'uk');
    const past = await ask(simulator, pageOf('uk', root!.id, 9999));
    expect(past.body.data.products).toEqual([]);
    expect(past.body.data.pageInformation).toMatchObject({ resultsOnPage: 0, currentPage: 9999 });
    expect(past.body.data.pageInformation.totalResults).toBeGreaterThan(0);

    const unknown = await ask(simulator, pageOf('uk', 'b;Tm8lMjBTdWNo'));
    expect(unknown.status).toBe(200);
    expect(unknown.body.data).toMatchObject({ products: [], pageInformation: { totalResults: 0 } });
  });

  it('a UK page refuses invalid requests', async () => {
    const wrong = [
      '/category-page',
      pageOf('uk', 'x'.repeat(301)),
      pageOf('uk', 'b;x', 0),
      '/category-page?categoryId=b;x&pageNo=one',
    ];
    for (const path of wrong) {
      const { status, body } = await ask(simulator, path);
      expect(status).toBe(400);
      expect(body).toEqual({
        success: false,
        message: expect.stringContaining('Invalid request: '),
        error: 'VALIDATION_ERROR',
      });
    }
  });
});

describe('an Irish category page', () => {
  it('an Irish page has untyped results of nodes with prices under sellers', async () => {
    const [root] = await rootsOf(simulator, 'ie');
    const { body } = await ask(simulator, pageOf('ie', root!.id));
    expect(Object.keys(body.data)).toEqual(['categoryId', 'pageNo', 'pageInformation', 'results']);
    expect(body.data.pageInformation).toEqual({
      totalCount: expect.any(Number),
      pageNo: 1,
      count: 24,
      pageSize: 24,
      offset: 0,
    });
    const [{ node }] = body.data.results;
    expect(node.sellers.results[0]).toMatchObject({ price: { unitOfMeasure: expect.any(String) } });
    expect(node.sellers.results[0].price.price).toBe(node.sellers.results[0].price.actual);
    expect(node).toMatchObject({ id: expect.any(String), brandName: null, superDepartmentName: root!.name });
  });

  it("an Irish page has promotions in the upstream's words", async () => {
    const [root] = await rootsOf(simulator, 'ie');
    const nodes = (await elementsOf(simulator, 'ie', root!.id)).map(({ node }) => node);
    const promoted = nodes.filter(({ sellers }) => sellers.results[0].promotions.length > 0);
    const [promotion] = promoted[0].sellers.results[0].promotions;
    expect(Object.keys(promotion)).toEqual([
      'id',
      'promotionType',
      'startDate',
      'endDate',
      'description',
      'unitSellingInfo',
      'price',
      'attributes',
      'qualities',
    ]);
    const texts = promoted.flatMap(({ sellers }) =>
      sellers.results[0].promotions.map(({ description }: Element) => description),
    );
    expect(texts.some((text: string) => text.includes('€'))).toBe(true);
    expect(texts.some((text: string) => text.includes('£'))).toBe(false);
  });

  it('an Irish page refuses ids over 200 characters, which the tree contains', async () => {
    const long = (await categoriesOf(simulator, 'ie')).filter(({ id }) => id.length > 200);
    expect(long.length).toBeGreaterThan(0);
    expect((await ask(simulator, pageOf('ie', long[0]!.id))).status).toBe(400);
  });
});
