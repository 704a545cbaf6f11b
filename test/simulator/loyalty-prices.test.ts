import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';

test('if several loyalty prices are in effect, the truth is the lowest of them', async () => {
  const simulator = await createSimulator({ items: 6_000, promoted: 0.75, earlyPromotions: 1 });
  try {
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
  } finally {
    await simulator.close();
  }
});
