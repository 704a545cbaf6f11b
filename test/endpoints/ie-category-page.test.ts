import { describe, expect, it } from 'vitest';
import { ContractBroken, RequestFailed } from '../../src/base/errors.ts';
import { ieCategoryPage } from '../../src/source/endpoints/index.ts';
import cases from './ie-category-page.json' with { type: 'json' };
import { ieNode } from './listed-element.ts';

const asked = { categoryId: 'b;RHJpbmtz', pageNo: 1 };
const read = (results: unknown, pageInformation: unknown = null) =>
  ieCategoryPage.read(
    { success: true, data: { categoryId: asked.categoryId, pageNo: 1, pageInformation, results } },
    asked,
  );

// ie-category-page.json: promotions as received, the product that they belong to as read, and bodies that are refused.
const { expected, promotions } = cases;
const sellers = { results: [{ price: { actual: 3.29, unitPrice: 0.72, unitOfMeasure: '100g' }, promotions }] };
const flat = { price: 3.29, unitPrice: 0.72, unitOfMeasure: '100g' };

describe('an Irish category page', () => {
  it.each([
    ['nodes with sellers', [{ node: ieNode({ sellers }) }]],
    ['bare products with sellers', [ieNode({ sellers })]],
    [
      'a price of the other name',
      [
        ieNode({
          sellers: { results: [{ price: { price: 3.29, unitPrice: 0.72, unitOfMeasure: '100g' }, promotions }] },
        }),
      ],
    ],
    ['bare products with a price object', [ieNode({ price: flat, promotions })]],
    ['old nodes with flat prices, promotions beside them', [{ product: ieNode(flat), promotions }]],
    ['promotions beside and an empty list inside', [{ product: ieNode({ ...flat, promotions: [] }), promotions }]],
    [
      'promotions at the product, none at its seller',
      [ieNode({ promotions, sellers: { results: [{ ...sellers.results[0], promotions: [] }] } })],
    ],
    ['a null seller before the one that asks a price', [ieNode({ sellers: { results: [null, ...sellers.results] } })]],
    ['a wrapper', { results: [{ node: ieNode({ sellers }) }] }],
    ['a wrapped batch', [{ data: { category: { results: [{ node: ieNode({ sellers }) }] } } }]],
  ])('a page is parsed from %s', (_, results) => {
    const { records, rejected } = read(results);
    expect(rejected).toEqual([]);
    expect(records.products).toMatchObject([expected]);
    expect(records.products[0]?.breadcrumb).toHaveLength(4);
    expect(records.products[0]?.breadcrumb[0]).toBe('b;RHJpbmtz');
  });

  it('totals are found in a wrapper', () => {
    expect(read({ pageInformation: { total: 7 }, results: [] }).records.declaredTotal).toBe(7);
    expect(read([{ data: { search: { info: { total: 7 }, results: [] } } }]).records.declaredTotal).toBe(7);
  });

  it('null results mean no items and an unknown total, and on a first page that the category may be empty', () => {
    const body = { success: true, data: { pageInformation: null, results: null } };
    const { records } = ieCategoryPage.read(body, { ...asked, pageNo: 2 });
    expect(records).toMatchObject({ declaredTotal: null, itemsReceived: 0, products: [] });
    expect(() => read(null)).toThrow(RequestFailed);
  });

  it('null nodes of every form are received, and neither products nor rejected', () => {
    const { records, rejected } = read([
      null,
      { node: null },
      { product: null, promotions: [] },
      { node: ieNode({ sellers }) },
    ]);
    expect([records.itemsReceived, records.products.length, rejected.length]).toEqual([4, 1, 0]);
  });

  describe('with elements marked as advertisements', () => {
    const own = ieNode({ sellers });
    const nowhere = { superDepartmentName: null, departmentName: null, aisleName: null, shelfName: null };
    const foreign = ieNode({ sellers, id: '250000002', superDepartmentName: 'Bakery', departmentName: 'Bread' });
    const ids = (results: unknown, pageInformation: unknown = null) =>
      read(results, pageInformation).records.products.map(({ productId }) => productId);

    const counts = (count: number) => ({ count });

    it('advertised products of other branches beyond the total are excluded, wherever the mark is', () => {
      expect(ids([{ node: { ...foreign, adId: 'a' } }, { node: own }], counts(1))).toEqual(['250000001']);
      expect(ids([{ node: foreign, adId: 'a' }, { node: own }], counts(1))).toEqual(['250000001']);
      expect(ids([{ ...foreign, adId: 'a' }, own], counts(1))).toEqual(['250000001']);
      expect(ids([{ ...foreign, ...nowhere, adId: 'a' }, own], counts(1))).toEqual(['250000001']);
      expect(read([{ ...foreign, adId: 'a' }, own], counts(1))).toMatchObject({
        records: { itemsReceived: 2 },
        rejected: [],
      });
    });

    it("the category's own products are included, even if they are not marked", () => {
      expect(ids([{ ...own, adId: 'a' }, foreign], counts(1))).toEqual(['250000001', '250000002']);
      expect(
        ids(
          [
            { ...own, adId: 'a' },
            { ...foreign, adId: 'a' },
          ],
          counts(1),
        ),
      ).toEqual(['250000001']);
      expect(ids([{ ...foreign, adId: null }, own], counts(1))).toEqual(['250000002', '250000001']);
      const above = ieNode({ sellers, departmentName: null, aisleName: null, shelfName: null, adId: 'a' });
      expect(ids([above, foreign], counts(1))).toEqual(['250000001', '250000002']);
    });

    it('a page includes as many products as its total, and all if there is no total', () => {
      const marked = { ...foreign, adId: 'a' };
      expect(ids([marked, own], counts(2))).toEqual(['250000002', '250000001']);
      expect(ids([marked, own])).toEqual(['250000002', '250000001']);
      expect(ids([marked], counts(1))).toEqual(['250000002']);
      expect(ids([marked], counts(0))).toEqual([]);
      expect(ids([marked, own], { count: 2, total: 1, pageSize: 24 })).toEqual(['250000001']);
      expect(ids([marked, own], { count: 2, total: 2, pageSize: 24 })).toEqual(['250000002', '250000001']);
    });
  });

  it('an element without sellers has no price; a missing price field is reported', () => {
    expect(read([ieNode({ sellers: { results: [] } })]).records.products[0]?.priceMinor).toBeNull();
    expect(read([ieNode({ sellers: null })]).records.products[0]?.priceMinor).toBeNull();
    expect(
      read([ieNode({ sellers: { results: [{ price: null, promotions: null }] } })]).records.products[0]?.priceMinor,
    ).toBeNull();
    expect(read([{ node: ieNode() }]).rejected).toMatchObject([
      { path: 'data.results[0].price', reason: 'price: missing' },
    ]);
  });

  it('a text in pounds is not parsed as a price in euros', () => {
    const pounds = [{ ...promotions[0], description: '£2.50 Clubcard Price' }];
    expect(read([ieNode({ ...flat, promotions: pounds })]).records.products[0]?.promotions).toMatchObject([
      { meaning: { kind: 'unknown', loyaltyPriceMinor: null } },
    ]);
  });

  it('errors instead of data are a failure, not an empty page', () => {
    const failed = () => read([{ errors: [{ message: 'Unauthorized' }], data: { category: null }, status: 401 }]);
    expect(failed).toThrow(RequestFailed);
    expect(failed).toThrow('Unauthorized');
  });

  it.each(cases.refused as [string, unknown][])('a page with %s is refused', (issue, body) => {
    const readBody = () => ieCategoryPage.read(body, asked);
    expect(readBody).toThrow(ContractBroken);
    expect(readBody).toThrow(issue);
  });
});
