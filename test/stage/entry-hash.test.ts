import { describe, expect, test } from 'vitest';
import type { ListedProduct, ProductDetail, Promotion } from '../../src/base/model/index.ts';
import { detailHash, entryHash, promotionHash } from '../../src/crawl/stage/entry-hash.ts';
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
  test('the hash of an entry changes with each field, and with promotions that come and go', () => {
    const hashes = [{}, ...other].map((change) => hashOf(listed('1', change)));
    expect(new Set(hashes).size).toBe(hashes.length);
    for (const hash of hashes) expect(hash).toMatch(uuid);
    const [one, two] = [promotionHash(promotion()), promotionHash(promotion({ description: 'Any 2 for £3' }))];
    expect(new Set([hashOf(listed('1')), hashOf(listed('1'), [one!]), hashOf(listed('1'), [one!, two!])]).size).toBe(3);
  });
});

test('the hashes of a promotion and of details change with each field', () => {
  const promotions: Partial<Promotion>[] = [
    { description: 'Any 2 for £3' },
    { offerType: null },
    { startsAt: null },
    { endsAt: new Date('2026-04-01T23:00:00Z') },
  ];
  const fat = { nutrient: 'fat', basis: '100g', amount: '1', unit: 'g', isUpperBound: true, printed: '<1g' } as const;
  const details: Partial<ProductDetail>[] = [
    ...(['description', 'ingredients', 'storage', 'productType', 'status'] as const).map((name) => ({
      [name]: 'other',
    })),
    { allergens: ['milk'] },
    { packSize: '2' },
    { packMeasure: 'ml' },
    { packCount: 2 },
    { nutrition: [fat] },
  ];
  const hashes = [
    ...[{}, ...promotions].map((change) => promotionHash(promotion(change))),
    ...[{}, ...details].map((change) => detailHash(detailed(change))),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});

function promotion(fields: Partial<Promotion> = {}): Promotion {
  return promoted({
    description: '£1 Loyal Price',
    offerType: 'CLUBCARD_PRICING',
    startsAt: new Date('2026-03-01T00:00:00Z'),
    endsAt: new Date('2026-03-20T00:00:00Z'),
    ...fields,
  });
}
