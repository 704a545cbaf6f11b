import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packOf } from '../../src/simulator/pack.ts';
import { basePrice, decimal, priceOn, tagOf } from '../../src/simulator/price.ts';
import { loyaltyPrice } from '../../src/simulator/promotion-text.ts';

const kinds = [
  'grams',
  'meat',
  'loose',
  'drained',
  'spice',
  'litres',
  'millilitres',
  'count',
  'each',
  'marketplace',
] as const;
const attributes = fc.integer({ min: 0, max: 0x7fffffff });
const kind = fc.constantFrom(...kinds);
const region = fc.constantFrom('uk' as const, 'ie' as const);

describe('prices', () => {
  it('print minor units as the shortest JSON number', () => {
    expect([500, 556, 550, 5, 50, 0, 10_000].map(decimal)).toEqual(['5', '5.56', '5.5', '0.05', '0.5', '0', '100']);
    fc.assert(fc.property(fc.nat(10_000_000), (minor) => decimal(minor) === String(minor / 100)));
  });

  it.each([0.005, 0.015, 0.05, 0.3, 1])('move on %d of days, and every move is a change', (dailyChange) => {
    const days = 400;
    let moves = 0;
    for (let slot = 0; slot < 200; slot += 1) {
      for (let day = 20_000; day < 20_000 + days; day += 1) {
        if (priceOn(day, slot, 300, 5, dailyChange) !== priceOn(day - 1, slot, 300, 5, dailyChange)) moves += 1;
      }
    }
    expect(moves / (200 * days)).toBeGreaterThan(dailyChange * 0.95);
    expect(moves / (200 * days)).toBeLessThan(dailyChange * 1.05 + 1e-9);
  });

  it('stand still when told to', () => {
    fc.assert(fc.property(fc.nat(40_000), fc.nat(1000), (day, slot) => priceOn(day, slot, 299, 5, 0) === 299));
  });

  it('are positive, with unit prices that follow from the pack', () => {
    fc.assert(
      fc.property(kind, attributes, region, fc.nat(30_000), (goods, drawn, code, day) => {
        const pack = packOf(goods, drawn, code);
        const moving = priceOn(day, drawn % 1000, basePrice(goods, drawn, code), 3, 0.05);
        const { priceMinor, unitPriceMinor } = tagOf(pack, moving);
        expect(Number.isInteger(priceMinor) && priceMinor > 0).toBe(true);
        if (goods === 'marketplace') expect(unitPriceMinor).toBeNull();
        else expect(Number.isInteger(unitPriceMinor) && unitPriceMinor! > 0).toBe(true);
        if (pack.priced === 'pack' && unitPriceMinor !== null && unitPriceMinor > 1) {
          expect(Math.abs(unitPriceMinor - (priceMinor * pack.per) / pack.amount)).toBeLessThanOrEqual(0.5);
        }
        if (pack.priced === 'catchweight') expect(priceMinor).toBe(unitPriceMinor);
      }),
    );
  });

  it('for members lie below every shelf price of the product, and the text says what the number says', () => {
    fc.assert(
      fc.property(kind, attributes, attributes, region, (goods, drawn, wording, code) => {
        const base = basePrice(goods, drawn, code);
        const pack = packOf(goods, drawn, code);
        const { loyaltyPriceMinor, loyaltyUnitPrice, description } = loyaltyPrice(
          { region: code, base, pack, range: 'x' },
          wording,
        );
        const minor = loyaltyPriceMinor ?? Math.round(Number(loyaltyUnitPrice) * 100);
        expect(minor).toBeLessThan(base * 0.91);
        const [, pounds, pence] = /[£€](\d+\.\d\d)|\b(\d+)p\b/.exec(description) ?? [];
        expect(pence ? Number(pence) : Math.round(Number(pounds) * 100)).toBe(minor);
        expect(description.includes(code === 'uk' ? '€' : '£')).toBe(false);
      }),
    );
  });
});
