import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContractBroken, RequestFailed } from '../../src/base/errors.ts';
import { ukCategoryPage } from '../../src/source/endpoints/index.ts';
import { ukElement, without } from './listed-element.ts';
import cases from './uk-category-page.json' with { type: 'json' };

// uk-category-page.json: `converted` is the element of listed-element.ts as we keep it, without the dates of its
// promotion; a row of `accepted` and `unreadable` has changes of the element, and what they change of what we keep.
type Case = [string, Record<string, unknown>, object];

const asked = { categoryId: 'b;RHJpbmtz', pageNo: 2 };

function page(
  products: unknown,
  pageInformation: unknown = { totalResults: 50, currentPage: 2, resultsOnPage: 24, resultsPerPage: 24 },
) {
  return { success: true, data: { categoryId: asked.categoryId, pageNo: 2, pageInformation, products } };
}

const read = (products: unknown) => ukCategoryPage.read(page(products), asked);
const only = (element: unknown) => read([element]).records.products[0];

describe('a UK category page', () => {
  it('a UK category page is converted to our model', () => {
    const { records, rejected } = read([ukElement()]);
    expect(rejected).toEqual([]);
    const [product] = cases.converted.products;
    const dates = { startsAt: new Date('2026-03-02T00:00:00Z'), endsAt: new Date('2026-03-29T23:00:00Z') };
    const promotions = [{ ...product?.promotions[0], ...dates }];
    expect(records).toEqual({ ...cases.converted, products: [{ ...product, promotions }] });
  });

  it('nulls and repeats are no products; the first observation is kept', () => {
    const { records } = read([ukElement(), null, ukElement({ title: 'Again' }), ukElement({ id: 300000002 })]);
    expect(records.itemsReceived).toBe(4);
    expect(records.products.map(({ productId, title }) => [productId, title])).toEqual([
      ['300000001', 'Invented Ale 4X330ml'],
      ['300000002', 'Invented Ale 4X330ml'],
    ]);
  });

  it.each([
    [
      'a marketplace product without unit price',
      { price: { price: 5 }, tpnb: undefined, gtin: undefined },
      { priceMinor: 500, unitPrice: null },
    ],
    ['a NUL and half a character', { title: 'In\u0000vented \ud800' }, { title: 'Invented \ufffd' }],
    ...(cases.accepted as Case[]),
  ])('an element is accepted: %s', (_, changes, expected) => {
    expect(read([ukElement(changes)]).rejected).toEqual([]);
    expect(only(ukElement(changes))).toMatchObject(expected);
  });

  it.each([
    ['id: missing', without(ukElement(), 'id')],
    ['id: missing', ukElement({ id: null })],
    ['id: not a product id', ukElement({ id: 2 ** 60 })],
    ['id: not a product id', ukElement({ id: '' })],
    ['Invalid input: expected object, received string', 'Invented Ale'],
  ])('an element with %j is rejected and kept as received, and the rest is read', (reason, element) => {
    const { records, rejected } = read([ukElement(), element, ukElement({ id: '300000003' })]);
    expect(rejected).toEqual([{ path: 'data.products[1]', reason, value: element }]);
    expect(records.products.map(({ productId }) => productId)).toEqual(['300000001', '300000003']);
    expect(records.itemsReceived).toBe(3);
  });

  it.each([
    ['title: missing', { title: undefined }, { title: null }],
    ['price: missing', { price: undefined }, { priceMinor: null }],
    ...(cases.unreadable as Case[]),
  ])('a product with one unreadable field is kept, and "%s" is reported', (reason, changes, expected) => {
    const { records, rejected } = read([ukElement({ ...changes })]);
    expect(records.products).toMatchObject([{ productId: '300000001', ...expected }]);
    const field = reason.split(':')[0];
    expect(rejected).toMatchObject([{ path: `data.products[0].${field}`, reason, isPart: true }]);
  });

  it.each<[string, Record<string, number | null>, string, number]>([
    ['the supermarket’s own offer, in any order', { shopA: 9, TESCO: 10 }, 'TESCO', 1000],
    ['else the cheapest', { shopB: 12, shopA: 10 }, 'shopA', 1000],
    ['else one with a price', { shopA: null, shopB: 12 }, 'shopB', 1200],
  ])('one of several sellers is chosen %s', (_, offers, seller, priceMinor) => {
    const results = Object.entries(offers).map(([id, price]) => ({ id, price: price && { price } }));
    for (const order of [results, [...results].reverse()])
      expect(only(ukElement({ price: undefined, sellers: { results: order } }))).toMatchObject({ seller, priceMinor });
  });

  it('the typical weight of variable packs, and charges including the deposit, are read', () => {
    const charges = [
      { __typename: 'ProductDepositReturnCharge', amount: 0.15 },
      { __typename: 'Bag', amount: 1 },
    ];
    const catchWeightList = [
      { price: 9, weight: 1.8, default: false },
      { price: 9.75, weight: 1.95, default: true },
    ];
    expect(only(ukElement({ charges, catchWeightList }))).toMatchObject({
      catchWeightGrams: 1950,
      charges,
      depositMinor: 15,
    });
  });

  it('a promotion without a text is rejected, and its product is kept', () => {
    const { records, rejected } = read([
      ukElement({ promotions: [{ offerType: 'X' }, null, 'text', { description: 'Half Price' }] }),
    ]);
    expect(records.products[0]?.promotions.map(({ description }) => description)).toEqual(['Half Price']);
    expect(rejected.map(({ path, reason }) => [path, reason])).toEqual([
      ['data.products[0].promotions[0]', 'promotion: no description'],
      ['data.products[0].promotions[2]', 'promotion: no description'],
    ]);
  });

  it('a page with too many elements is refused, and a product keeps at most twenty promotions', () => {
    expect(() => read(Array(1_001).fill(1))).toThrow(ContractBroken);
    expect(read(Array(1_000).fill(1)).rejected).toHaveLength(1_000);
    const promotions = Array.from({ length: 50_000 }, (_, i) => ({ description: `Promotion ${i}` }));
    const { records, rejected } = read([ukElement({ promotions })]);
    expect(records.products[0]?.promotions).toHaveLength(20);
    expect(rejected).toEqual([
      { path: 'data.products[0].promotions', reason: 'promotions: more than 20', value: 50_000, isPart: true },
    ]);
  });

  it('a breadcrumb is truncated at the maximum depth', () => {
    const crumbs = (...levels: object[]) => only(ukElement({ categoryBreadcrumbs: levels }))?.breadcrumb;
    expect(crumbs({ name: 'Drinks' }, { name: 'x'.repeat(50_000) }, { name: 'Beer' })).toEqual(['b;RHJpbmtz']);
    expect(crumbs({ id: 'b;RHJpbmtz', name: 'Drinks' }, { id: 'b;\u0000', name: null })).toEqual(['b;RHJpbmtz']);
    expect(crumbs(...Array(100_000).fill({ name: 'A' }))?.length).toBeLessThanOrEqual(16);
  });

  it.each([
    ['success: Invalid input: expected true', { success: false, message: 'x', error: 'INTERNAL_ERROR' }],
    ['data: missing', { success: true }],
    ['data.products: missing', { success: true, data: { pageInformation: {}, results: [] } }],
    ['data.products: Invalid input: expected array, received null', page(null)],
    ['Invalid input: expected object, received array', []],
  ])('a page whose envelope has %j is refused', (issue, body) => {
    const readBody = () => ukCategoryPage.read(body, asked);
    expect(readBody).toThrow(ContractBroken);
    expect(readBody).toThrow(issue);
  });

  it('only ContractBroken is thrown, whatever the upstream sends', () => {
    const element = fc.oneof(
      fc.anything(),
      fc.record(
        {
          id: fc.anything(),
          title: fc.anything(),
          price: fc.anything(),
          isForSale: fc.anything(),
          promotions: fc.anything(),
          sellers: fc.anything(),
          categoryBreadcrumbs: fc.anything(),
        },
        { requiredKeys: [] },
      ),
      fc.constant(ukElement()),
    );
    fc.assert(
      fc.property(fc.array(element), (products) => {
        const { records, rejected } = read(products);
        const rejectedElements = new Set(rejected.map(({ path }) => path.replace(/\.promotions.*/, ''))).size;
        const kept = records.products.map(({ productId }) => productId);
        expect(new Set(kept).size).toBe(kept.length);
        if (kept.length + rejectedElements === 0) expect(products.every((each) => each === null)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.anything(), (body) => {
        try {
          ukCategoryPage.read(body, asked);
        } catch (error) {
          expect(error).toBeInstanceOf(ContractBroken);
        }
      }),
    );
  });
});

describe('the request of a UK category page', () => {
  it.each([
    [{ categoryId: '', pageNo: 1 }],
    [{ categoryId: `b;${'x'.repeat(299)}`, pageNo: 1 }],
    [{ categoryId: 'b;x', pageNo: 0 }],
    [{ categoryId: 'b;x', pageNo: 1.5 }],
  ])('%j is not requested', (question) => {
    expect(() => ukCategoryPage.query(question)).toThrow(RequestFailed);
  });
});
