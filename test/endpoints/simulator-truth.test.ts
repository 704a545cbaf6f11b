import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListedProduct } from '../../src/base/model/index.ts';
import { type RegionCode, regionCodes } from '../../src/base/model/index.ts';
import { createSimulator, type Simulator, type TrueProduct } from '../../src/simulator/index.ts';
import type { Endpoint } from '../../src/source/endpoints/index.ts';
import { endpointsOf } from '../../src/source/endpoints/index.ts';

const date = '2026-03-11';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 700, seed: 7, date, ieShape: 'mixed', taxonomyIds: 'leaves' });
});
afterAll(() => simulator.close());

async function ask<Params, Records>(endpoint: Endpoint<Params, Records>, params: Params): Promise<Records> {
  const query = new URLSearchParams(endpoint.query(params));
  const response = await fetch(`${simulator.url}${endpoint.paths[0]}?${query}`, {
    headers: { 'X-Gateway-Key': 'any', 'X-Gateway-Host': 'grocery.simulator' },
  });
  const { records, rejected } = endpoint.read(await response.json(), params);
  expect(rejected).toEqual([]);
  return records;
}

async function truthOf(region: RegionCode): Promise<readonly TrueProduct[]> {
  const response = await fetch(`${simulator.url}/__truth?region=${region}&date=${date}`);
  return (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Every product below the top categories, page by page. */
async function walk(region: RegionCode): Promise<ReadonlyMap<string, ListedProduct>> {
  const { taxonomy, categoryPage } = endpointsOf[region];
  const found = new Map<string, ListedProduct>();
  const { nodes } = await ask(taxonomy, undefined);
  for (const { categoryId } of nodes.filter(({ depth }) => depth === 0)) {
    for (let pageNo = 1; ; pageNo += 1) {
      const page = await ask(categoryPage, { categoryId, pageNo });
      for (const product of page.products) found.set(product.productId, product);
      if (page.itemsReceived === 0 || pageNo * 24 >= (page.declaredTotal ?? 0)) break;
    }
  }
  return found;
}

describe.each(regionCodes)('the pages of %s', (region) => {
  it('pages contain the true values of every product', async () => {
    const [found, truth] = [await walk(region), await truthOf(region)];
    expect(found.size).toBe(truth.length);
    for (const product of truth) {
      const read = found.get(product.productId);
      expect(read).toMatchObject({
        title: product.title.replace(/\s+/g, ' ').trim(),
        brand: product.brand,
        gtin: product.gtin,
        tpnb: product.tpnb,
        imageUrl: product.imageUrl,
        isForSale: product.available,
        priceMinor: product.priceMinor,
        unitPrice: product.unitPrice,
        unitOfMeasure: product.unitOfMeasure,
      });
      expect(
        read?.promotions.map(({ description, meaning, startsAt, endsAt }) => ({
          description,
          kind: meaning.kind,
          loyaltyPriceMinor: meaning.loyaltyPriceMinor,
          startsAt: startsAt?.getTime(),
          endsAt: endsAt?.getTime(),
        })),
      ).toEqual(
        product.promotions.map((promotion) => ({
          description: promotion.description,
          kind: promotion.kind,
          loyaltyPriceMinor: promotion.loyaltyPriceMinor,
          startsAt: promotion.startsAt === null ? undefined : Date.parse(promotion.startsAt),
          endsAt: promotion.endsAt === null ? undefined : Date.parse(promotion.endsAt),
        })),
      );
      for (const id of read?.breadcrumb ?? []) expect(product.categoryIds).toContain(id);
    }
  });

  it('details describe the same products as the pages', async () => {
    const { productDetails } = endpointsOf[region];
    for (const product of (await truthOf(region)).slice(0, 60)) {
      expect(await ask(productDetails, { productId: product.productId })).toMatchObject({
        productId: product.productId,
        title: product.title.replace(/\s+/g, ' ').trim(),
        priceMinor: product.priceMinor,
      });
    }
    expect(await ask(productDetails, { productId: '1' })).toBeNull();
  });
});
