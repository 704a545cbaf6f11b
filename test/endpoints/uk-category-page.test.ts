import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContractBroken, RequestFailed } from '../../src/base/errors.ts';
import { ukCategoryPage } from '../../src/source/endpoints/index.ts';
import { ukElement, without } from './listed-element.ts';

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
    expect(records).toEqual({
      categoryId: 'b;RHJpbmtz',
      pageNo: 2,
      declaredTotal: 50,
      resultsPerPage: 24,
      itemsDeclared: 24,
      itemsReceived: 1,
      products: [
        {
          productId: '300000001',
          tpnb: '80000001',
          gtin: '05012345678900',
          title: 'Invented Ale 4X330ml',
          brand: 'INVENTED',
          imageUrl: 'https://img.example/a.jpeg',
          isForSale: true,
          priceMinor: 550,
          unitPrice: '4.2',
          unitOfMeasure: 'litre',
          seller: null,
          catchWeightGrams: null,
          charges: null,
          depositMinor: null,
          promotions: [
            {
              description: '£4.50 Clubcard Price',
              offerType: 'CLUBCARD_PRICING',
              startsAt: new Date('2026-03-02T00:00:00Z'),
              endsAt: new Date('2026-03-29T23:00:00Z'),
              meaning: {
                kind: 'loyalty_price',
                loyaltyPriceMinor: 450,
                loyaltyUnitPrice: null,
                loyaltyUnitMeasure: null,
                quantity: null,
                payQuantity: null,
                dealPriceMinor: null,
                savePercent: null,
                savingMinor: null,
                depositMinor: null,
                wasPriceMinor: null,
                nowPriceMinor: null,
              },
            },
          ],
          breadcrumb: ['b;RHJpbmtz'],
        },
      ],
    });
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
    ['a number as id', { id: 300000001 }, { productId: '300000001' }],
    ['null identifiers', { gtin: null, tpnb: null, brand: null }, { gtin: null, tpnb: null, brand: null }],
    ['no price', { price: null }, { priceMinor: null, unitPrice: null }],
    [
      'inner nulls',
      { price: { price: null, unitPrice: null, unitOfMeasure: null } },
      { priceMinor: null, unitPrice: null },
    ],
    ['a price of 0', { price: { price: 0, unitPrice: 0, unitOfMeasure: 'kg' } }, { priceMinor: null, unitPrice: null }],
    ['promotions that are null', { promotions: null }, { promotions: [] }],
    ['fields nobody knows', { sponsored: true, adId: 'x' }, { productId: '300000001' }],
    [
      'a marketplace product without unit price',
      { price: { price: 5 }, tpnb: undefined, gtin: undefined },
      { priceMinor: 500, unitPrice: null },
    ],
    ['not for sale but priced', { isForSale: false }, { isForSale: false, priceMinor: 550 }],
    ['the state as a word', { isForSale: null, status: 'Unavailable' }, { isForSale: false }],
    ['a state that says no beside the flag', { isForSale: true, status: 'Unavailable' }, { isForSale: false }],
    ['a state without a flag', { isForSale: null, status: 'AvailableForSale' }, { isForSale: true }],
    ['another state without a flag', { isForSale: null, status: 'OnTheWay' }, { isForSale: false }],
    ['a state not known beside the flag', { isForSale: true, status: 'OnTheWay' }, { isForSale: true }],
    ['a NUL and half a character', { title: 'In\u0000vented \ud800' }, { title: 'Invented \ufffd' }],
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
    ['title: not a text', { title: '  ' }, { title: null }],
    ['isForSale: missing', { isForSale: null }, { isForSale: null }],
    ['isForSale: neither true nor false', { isForSale: 'true' }, { isForSale: null }],
    ['price: missing', { price: undefined }, { priceMinor: null }],
    ['price.price: missing', { price: { amount: 5 } }, { priceMinor: null }],
    ['price.price: not an amount', { price: { price: 'POA' } }, { priceMinor: null }],
    ['price.price: not an amount', { price: { price: -1.5 } }, { priceMinor: null }],
    [
      'price.unitPrice: not an amount',
      { price: { price: 5, unitPrice: 'five' } },
      { priceMinor: 500, unitPrice: null },
    ],
    ['brand: not a text', { brand: 17 }, { brand: null }],
    ['promotions: not a list', { promotions: 'none' }, { promotions: [] }],
    ['gtin: not a barcode', { gtin: '5000157024672 x' }, { gtin: null }],
    ['gtin: not a barcode', { gtin: 25293001221 }, { gtin: null }],
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
