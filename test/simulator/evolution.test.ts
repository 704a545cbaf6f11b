import { describe, expect, it } from 'vitest';
import { createSimulator, type TrueProduct } from '../../src/simulator/index.ts';
import { withSimulator } from './asking.ts';

const nights = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'];

function byId(records: Iterable<TrueProduct>): Map<string, TrueProduct> {
  return new Map([...records].map((record) => [record.productId, record]));
}

describe('the catalogue', () => {
  it('the catalogue is the same for the same seed, in any process and order', async () => {
    await withSimulator({ seed: 5 }, async (first) => {
      await withSimulator({ seed: 5, date: '2026-08-01' }, async (second) => {
        const there = [...second.truth('ie', '2026-08-01')];
        expect([...second.truth('ie', '2026-03-01')]).toEqual([...first.truth('ie', '2026-03-01')]);
        expect([...first.truth('ie', '2026-08-01')]).toEqual(there);
      });
      await withSimulator({ seed: 6 }, async (other) => {
        const titles = (simulator: typeof first) => [...simulator.truth('uk', '2026-03-01')].map(({ title }) => title);
        expect(titles(other)).not.toEqual(titles(first));
      });
    });
  });

  it('prices, promotions and stock change from night to night, at the given rates', async () => {
    await withSimulator({ items: 10_000, dailyChange: 0.03 }, async (simulator) => {
      const tonight = nights.map((night) => byId(simulator.truth('uk', night)));
      const moves = tonight.slice(1).map((after, index) => {
        const both = [...after.values()].filter(({ productId }) => tonight[index]!.has(productId));
        const before = (id: string) => tonight[index]!.get(id)!;
        const share = (differs: (a: TrueProduct, b: TrueProduct) => boolean) =>
          both.filter((record) => differs(before(record.productId), record)).length / both.length;
        return {
          price: share((a, b) => {
            const isRegular = !a.onPromotion && !b.onPromotion && a.priceMinor !== null && b.priceMinor !== null;
            return isRegular && a.priceMinor !== b.priceMinor;
          }),
          stock: share((a, b) => a.available !== b.available),
          promotion: share((a, b) => JSON.stringify(a.promotions) !== JSON.stringify(b.promotions)),
          identity: share((a, b) => a.title !== b.title || a.gtin !== b.gtin || a.brand !== b.brand),
        };
      });
      // Offers begin on Tuesdays and Wednesdays.
      expect(Math.max(...moves.map(({ promotion }) => promotion))).toBeGreaterThan(0.01);
      for (const { price, stock, identity } of moves) {
        expect(price).toBeGreaterThan(0.025);
        expect(price).toBeLessThan(0.037);
        expect(stock).toBeGreaterThan(0.002);
        // Packs that change.
        expect(identity).toBeLessThan(0.001);
      }
    });
  });

  it('the catalogue does not change if it is frozen, promotions included', async () => {
    await withSimulator({ evolve: false }, async (simulator) => {
      const [first, ...others] = ['2026-01-01', '2026-06-30', '2027-03-28'].map((night) => [
        ...simulator.truth('uk', night),
      ]);
      for (const other of others) expect(other).toEqual(first);
      expect(first!.some(({ loyaltyPriceMinor }) => loyaltyPriceMinor !== null)).toBe(true);
      expect(first!.flatMap(({ promotions }) => promotions).every(({ inEffect }) => inEffect)).toBe(true);
    });
  });

  it('the catalogue refuses impossible sizes', async () => {
    for (const items of [0, -1, 1.5, 2_000_000]) await expect(createSimulator({ items })).rejects.toThrow(RangeError);
  });

  it('if several loyalty prices are in effect, the truth is the lowest of them', async () => {
    await withSimulator({ items: 6_000, promoted: 0.75, earlyPromotions: 1 }, async (simulator) => {
      let withTwo = 0;
      let isLaterLower = false;
      for (let day = 1; day <= 28 && !isLaterLower; day++) {
        for (const product of simulator.truth('uk', `2026-03-${String(day).padStart(2, '0')}`)) {
          const prices = product.promotions.flatMap(({ inEffect, loyaltyPriceMinor }) =>
            inEffect && loyaltyPriceMinor !== null ? [loyaltyPriceMinor] : [],
          );
          if (prices.length < 2) continue;
          withTwo += 1;
          expect(product.loyaltyPriceMinor).toBe(Math.min(...prices));
          isLaterLower ||= prices[0] !== Math.min(...prices);
        }
      }
      expect(withTwo).toBeGreaterThan(0);
      expect(isLaterLower).toBe(true);
    });
  });
});
