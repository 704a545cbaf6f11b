import { expect, test } from 'vitest';
import { withSimulator } from './asking.ts';

test('a promotion is in effect from its first day to the day before its last midnight', async () => {
  await withSimulator({ items: 4000, earlyPromotions: 0.5 }, async (simulator) => {
    const records = [...simulator.truth('uk', '2026-03-01')];
    const early = records.flatMap(({ promotions }) => promotions).filter(({ inEffect }) => !inEffect);
    expect(early.length).toBeGreaterThan(0);
    for (const { startsAt } of early) expect(startsAt! > '2026-03-01T00:00:00Z').toBe(true);
    for (const { promotions, onPromotion, loyaltyPriceMinor } of records) {
      const inEffect = promotions.filter((promotion) => promotion.inEffect);
      for (const { endsAt } of inEffect) expect(endsAt === null || endsAt > '2026-03-01T00:00:00Z').toBe(true);
      expect(onPromotion).toBe(inEffect.length > 0);
      const loyalty = inEffect.find(({ kind }) => kind === 'loyalty_price');
      expect(loyaltyPriceMinor).toBe(loyalty?.loyaltyPriceMinor ?? null);
    }
  });
});
