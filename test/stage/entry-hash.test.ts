import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListedProduct, ProductDetail, Promotion } from '../../src/base/model/index.ts';
import { detailHash, entryHash, promotionHash } from '../../src/crawl/stage/entry-hash.ts';
import { ukCategoryPage } from '../../src/source/endpoints/uk-category-page.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { detailed, listed, promoted } from '../support/open-run.ts';

const hashOf = (product: ListedProduct, promotionHashes: readonly string[] = []) => entryHash(product, promotionHashes);
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

describe('the hash of an entry', () => {
  const other: Partial<ListedProduct>[] = [
    { title: 'Another title' },
    { brand: 'Another brand' },
    { tpnb: '99' },
    { gtin: '00000000000017' },
    { imageUrl: 'https://images.example/other.jpeg' },
    { isForSale: false },
    { priceMinor: 101 },
    { priceMinor: null },
    { unitPrice: '1.01' },
    { unitPrice: null },
    { unitOfMeasure: 'kg' },
    { breadcrumb: [encodeCategoryId(['Drinks'])] },
    { breadcrumb: [] },
  ];
  test.each(other)('the hash of an entry changes with %o', (change) => {
    expect(hashOf(listed('1', change))).not.toBe(hashOf(listed('1')));
    expect(hashOf(listed('1', change))).toMatch(uuid);
  });

  test('the hash of an entry changes with promotions that come and go', () => {
    const [one, two] = [promotionHash(promotion()), promotionHash(promotion({ description: 'Any 2 for £3' }))];
    expect(new Set([hashOf(listed('1')), hashOf(listed('1'), [one!]), hashOf(listed('1'), [one!, two!])]).size).toBe(3);
  });

  test('the hash is the same for the same entry, and differs for different ones', () => {
    const text = fc.option(fc.string({ unit: 'binary', maxLength: 12 }));
    const product = fc.record({
      title: fc.string(),
      brand: text,
      tpnb: text,
      gtin: text,
      imageUrl: text,
      unitPrice: text,
      unitOfMeasure: text,
    });
    fc.assert(
      fc.property(product, product, (a, b) => {
        const isSame = JSON.stringify(a) === JSON.stringify(b);
        expect(hashOf(listed('1', a)) === hashOf(listed('2', b))).toBe(isSame);
        expect(hashOf(listed('1', a))).toBe(hashOf(listed('1', { ...a })));
      }),
    );
  });

  test.each([
    [
      'price',
      { price: { price: 5, unitPrice: 0.5, unitOfMeasure: '100g' } },
      { price: { price: '£5.00', unitPrice: 5.0, unitOfMeasure: 'kg' } },
    ],
    [
      'float noise',
      { price: { price: 1.1, unitPrice: 1.1, unitOfMeasure: 'kg' } },
      { price: { price: 1.1000000000000001, unitPrice: '1.10', unitOfMeasure: 'kg' } },
    ],
    ['ids', { id: '7001', tpnb: '0123' }, { id: 7001, tpnb: 123 }],
    ['barcode', { gtin: '5012345678900' }, { gtin: '05012345678900' }],
    [
      'image size',
      { imageUrl: 'https://images.example/1.jpeg?h=225&w=225' },
      { imageUrl: 'https://images.example/1.jpeg' },
    ],
    ['unknown fields', {}, { sustainability: { score: 4 } }],
    ['title ends', { title: 'Bread' }, { title: ' Bread  ' }],
    [
      'promotion order',
      { promotions: [offer('£1 Loyal Price'), offer('Any 2 for £3')] },
      { promotions: [offer('Any 2 for £3'), offer('£1 Loyal Price')] },
    ],
  ])('the hash does not change with another notation: %s', (_, one, two) => {
    expect(hashOfElement(two)).toBe(hashOfElement(one));
  });
});

describe('the hash of a promotion', () => {
  test.each<Partial<Promotion>>([
    { description: 'Any 2 for £3' },
    { offerType: null },
    { startsAt: null },
    { endsAt: new Date('2026-04-01T23:00:00Z') },
  ])('the hash of a promotion changes with %o', (change) => {
    expect(promotionHash(promotion(change))).not.toBe(promotionHash(promotion()));
  });
});

describe('the hash of details', () => {
  test.each<Partial<ProductDetail>>([
    { description: 'other' },
    { ingredients: 'other' },
    { allergens: ['milk'] },
    { packSize: '2' },
    { packMeasure: 'ml' },
    { packCount: 2 },
    { storage: 'other' },
    { productType: 'other' },
    { status: 'other' },
    { nutrition: [{ nutrient: 'fat', basis: '100g', amount: '1', unit: 'g', isUpperBound: true, printed: '<1g' }] },
  ])('the hash of details changes with %o', (change) => {
    expect(detailHash(detailed(change))).not.toBe(detailHash(detailed()));
  });
});

function hashOfElement(fields: Record<string, unknown>): string {
  const element = {
    id: '7001',
    tpnb: '1',
    gtin: null,
    title: 'Bread',
    brand: null,
    isForSale: true,
    imageUrl: null,
    price: null,
    promotions: [],
    categoryBreadcrumbs: [],
    ...fields,
  };
  const body = { success: true, data: { categoryId: 'b;', pageNo: 1, pageInformation: null, products: [element] } };
  const { records, rejected } = ukCategoryPage.read(body, { categoryId: 'b;', pageNo: 1 });
  expect(rejected).toEqual([]);
  const product = records.products[0]!;
  return entryHash(product, product.promotions.map(promotionHash).sort());
}

function offer(description: string) {
  return {
    description,
    offerType: 'CLUBCARD_PRICING',
    startDate: '2026-03-01T00:00:00Z',
    endDate: '2026-03-20T00:00:00Z',
  };
}

function promotion(fields: Partial<Promotion> = {}): Promotion {
  return promoted({
    description: '£1 Loyal Price',
    offerType: 'CLUBCARD_PRICING',
    startsAt: new Date('2026-03-01T00:00:00Z'),
    endsAt: new Date('2026-03-20T00:00:00Z'),
    ...fields,
  });
}
