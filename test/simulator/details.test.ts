import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { ask, type Element } from './asking.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 2000, date: '2026-03-01' });
});
afterAll(() => simulator.close());

describe('product details', () => {
  const productOf = ({ body }: { body: Element }) => body.data.results[0].data.product;

  it.each(['uk', 'ie'] as const)('say the same as the %s listing, in other words', async (region) => {
    const path = region === 'uk' ? '/product-details' : '/ireland-product-details';
    const all = [...simulator.truth(region, '2026-03-01')];
    const details: Element[] = [];
    for (const record of all.filter((_, index) => index % 9 === 0)) {
      const product = productOf(await ask(simulator, `${path}?productId=${record.productId}`));
      details.push(product);
      expect(product).toMatchObject({
        id: record.productId,
        title: record.titleServed,
        brandName: record.brand,
        gtin: record.gtin,
      });
      expect(product.tpnb.replace(/^0+/, '')).toBe(record.tpnb);
      expect(product.isForSale).toBe(record.available);
      expect(product.price === null ? null : Math.round(product.price.actual * 100)).toBe(record.priceMinor);
      expect(record.categoryIds).toContain(product.shelfId ?? product.aisleId);
    }
    const facts = details.map((product) => product.details);
    expect(facts.some(({ nutrition }) => nutrition?.length > 0)).toBe(true);
    expect(facts.some(({ nutritionInfo }) => nutritionInfo?.length > 0)).toBe(true);
    expect(facts.some(({ ingredients }) => typeof ingredients === 'string')).toBe(true);
    expect(
      facts.some(({ ingredients }) => Array.isArray(ingredients) && ingredients.join('').includes('<strong>')),
    ).toBe(true);
    expect(facts.some(({ packSize }) => packSize === null)).toBe(true);
    expect(facts.some(({ packSize }) => packSize?.[0]?.units === 'SNGL')).toBe(true);
    expect(details.some(({ description }) => typeof description === 'string')).toBe(true);
    expect(details.some(({ description }) => Array.isArray(description))).toBe(true);
    expect(details.some(({ tpnb }) => tpnb.startsWith('0'))).toBe(true);
    expect(details.some(({ status }) => status === 'ExcludedProduct')).toBe(true);
  });

  it('have catch weights where the price is a kilogram’s', async () => {
    const found: Element[] = [];
    for (const { productId, title } of simulator.truth('uk', '2026-03-01')) {
      if (!/Steaks|Chicken Breasts|Beef Joints|Whole Chicken|Mince|Prawns|Gammon|Chops/.test(title)) continue;
      const product = productOf(await ask(simulator, `/product-details?productId=${productId}`));
      if (product.catchWeightList) found.push(product);
    }
    expect(found.length).toBeGreaterThan(0);
    for (const { price, catchWeightList } of found) {
      expect(price.actual).toBe(price.unitPrice);
      expect(catchWeightList[0].price).toBeCloseTo(catchWeightList[0].weight * price.unitPrice, 2);
      expect(catchWeightList.filter((pack: Element) => pack.default)).toHaveLength(1);
    }
  });

  it('are found by product URL too', async () => {
    const [first] = simulator.truth('uk', '2026-03-01');
    const url = encodeURIComponent(`https://groceries.example/groceries/en-GB/products/${first!.productId}`);
    const { body } = await ask(simulator, `/product-details?productId=${url}`);
    expect(body.data.productId).toBe(first!.productId);
    expect(body.data.results[0].data.product.id).toBe(first!.productId);
  });

  it('are null for ids nobody has, and refused without one', async () => {
    const { status, body } = await ask(simulator, '/product-details?productId=123');
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { productId: '123', results: [{ data: { product: null } }] } });
    expect((await ask(simulator, '/product-details')).status).toBe(400);
  });

  it('know of what has left either nothing or that it was not found', async () => {
    const before = [...simulator.truth('uk', '2026-03-01')].map(({ productId }) => productId);
    const after = new Set([...simulator.truth('uk', '2026-06-01')].map(({ productId }) => productId));
    simulator.change({ date: '2026-06-01' });
    const gone: Element[] = [];
    for (const id of before.filter((id) => !after.has(id)))
      gone.push(productOf(await ask(simulator, `/product-details?productId=${id}`)));
    simulator.change({ date: '2026-03-01' });
    expect(gone).toContain(null);
    expect(gone).toContainEqual(
      expect.objectContaining({ status: 'ProductNotFound', isForSale: false, price: null, title: expect.any(String) }),
    );
  });
});
