import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastMonth } from '../../src/crawl/status/month-forecast.ts';
import { amountOf, type Subscription, unknownSubscription } from '../../src/source/listings/index.ts';

const day = 86_400_000;
const plan = { name: 'pro', pricePerMonth: amountOf('49.99', 'USD'), isFree: false } as Subscription['plan'];
const subscription: Subscription = {
  ...unknownSubscription,
  plan,
  startedOn: '2026-01-20',
  pricePerExtraRequest: amountOf('0.001', 'USD'),
};

describe('the forecast of a month', () => {
  const spent = fc.record({
    now: fc.constant(new Date('2026-03-05T09:00:00Z')),
    endsAt: fc.integer({ min: -day, max: 31 * day }).map((ms) => new Date(Date.parse('2026-03-05T09:00:00Z') + ms)),
    used: fc.nat(1_000_000),
    included: fc.option(fc.nat(1_000_000)),
    requestsADay: fc.double({ min: 0, max: 50_000, noNaN: true }),
  });

  it('the forecast is the spend so far and the remaining days at the same pace, with the part beyond the quota', () => {
    fc.assert(
      fc.property(spent, (month) => {
        const { requests, beyondQuota } = forecastMonth(month, undefined)!;
        const days = Math.max(0, (month.endsAt.getTime() - month.now.getTime()) / day);
        expect(Math.abs(requests - month.used - month.requestsADay * days)).toBeLessThanOrEqual(0.5);
        expect(beyondQuota).toBe(month.included ? Math.max(0, requests - month.included) : 0);
      }),
    );
  });

  it('the forecast costs the plan and each request beyond it, and is without cost if a price is unknown', () => {
    const month = {
      now: new Date('2026-03-05T00:00:00Z'),
      endsAt: new Date('2026-03-15T00:00:00Z'),
      used: 90_000,
      included: 100_000,
      requestsADay: 1_500,
    };
    expect(forecastMonth(month, subscription)).toMatchObject({
      requests: 105_000,
      beyondQuota: 5_000,
      cost: { amount: '54.99', currency: 'USD' },
    });
    expect(forecastMonth(month, { ...subscription, pricePerExtraRequest: null })!.cost).toBeNull();
    expect(forecastMonth({ ...month, requestsADay: 1_000 }, subscription)!.cost).toMatchObject({ amount: '49.99' });
    expect(forecastMonth({ ...month, requestsADay: null }, subscription)).toBeNull();
  });
});
