import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountOf, costOf, describeAmount, listings, monthOf, refundFor } from '../../src/source/listings/index.ts';

const { property_1: property } = listings;
const planNamed = (name: string) => property.plans.find((plan) => plan.name === name)!;

const dayOf = (date: Date) => date.toISOString().slice(0, 10);
const anyDay = (min: string, max: string) =>
  fc.date({ min: new Date(`${min}T00:00:00Z`), max: new Date(`${max}T00:00:00Z`), noInvalidDate: true }).map(dayOf);
const paidPlan = fc.constantFrom('Pro', 'Ultra', 'Mega');

describe('section 8 of the specification: plans', () => {
  test('the real-estate listings have a free tier and plans of 9.99, 49.99 and 99.99 US dollars', () => {
    for (const listing of [listings.property_1, listings.property_2]) {
      expect(listing.plans.map(({ name, pricePerMonth }) => [name, describeAmount(pricePerMonth!)])).toEqual([
        ['Basic', '0.00 USD'],
        ['Pro', '9.99 USD'],
        ['Ultra', '49.99 USD'],
        ['Mega', '99.99 USD'],
      ]);
    }
  });
});

describe('section 9 of the specification: two listings at once', () => {
  test('the refund of the old plan is its price by the share of unused quota, never more and never negative', () => {
    fc.assert(
      fc.property(paidPlan, fc.integer({ min: 1, max: 5_000_000 }), fc.nat(6_000_000), (name, quota, used) => {
        const plan = planNamed(name);
        const price = plan.pricePerMonth!.micros;
        const amount = refundFor(plan, quota, used);
        const exact = (BigInt(price) * BigInt(Math.max(quota - used, 0))) / BigInt(quota);
        expect(BigInt(amount!.micros)).toBe((exact / 10_000n) * 10_000n);
        expect(amount!.micros).toBeLessThanOrEqual(price);
      }),
    );
  });

  test('the refund is unknown if the quota or the price is, and 0 for a free plan', () => {
    expect(refundFor(planNamed('Ultra'), null, 10)).toBeNull();
    expect(refundFor(null, 500, 10)).toBeNull();
    expect(refundFor(planNamed('Basic'), 500, 0)?.micros).toBe(0);
  });
});

describe('what requests cost', () => {
  const perExtra = amountOf('0.0005', 'USD');

  test('requests cost the price of the plan, and that of every request beyond it', () => {
    fc.assert(
      fc.property(paidPlan, fc.integer({ min: 1, max: 1_000_000 }), fc.nat(2_000_000), (name, included, used) => {
        const plan = planNamed(name);
        const cost = costOf({ plan, pricePerExtraRequest: perExtra }, { used, included });
        expect(cost!.micros).toBe(plan.pricePerMonth!.micros + Math.max(0, used - included) * 500);
      }),
    );
  });

  test('the cost is unknown if the plan or the price of an additional request is unknown', () => {
    expect(costOf({ plan: null, pricePerExtraRequest: perExtra }, { used: 1, included: 10 })).toBeNull();
    const plan = planNamed('Pro');
    expect(costOf({ plan, pricePerExtraRequest: null }, { used: 11, included: 10 })).toBeNull();
    expect(costOf({ plan, pricePerExtraRequest: null }, { used: 10, included: 10 })).toEqual(plan.pricePerMonth);
  });

  test('the cost is printed as money', () => {
    expect(['9.99', '0.0005', '12', '0', '1234.5'].map((text) => describeAmount(amountOf(text, 'USD')))).toEqual([
      '9.99 USD',
      '0.0005 USD',
      '12.00 USD',
      '0.00 USD',
      '1234.50 USD',
    ]);
  });
});

describe('the months of a subscription', () => {
  test("a month begins on the subscription's day, or on the last day of a shorter month", () => {
    const starts = ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'];
    starts.slice(0, -1).forEach((start, i) => {
      const month = monthOf({ startedOn: '2025-12-31' }, new Date(`${start}T12:00:00Z`));
      expect([dayOf(month.startsAt), dayOf(month.endsAt)]).toEqual([start, starts[i + 1]]);
    });
    expect(monthOf({ startedOn: null }, new Date('2026-03-31T23:59:59Z'))).toEqual({
      startsAt: new Date('2026-03-01T00:00:00Z'),
      endsAt: new Date('2026-04-01T00:00:00Z'),
    });
  });

  test('a month contains the requested instant, and months follow each other without a gap', () => {
    fc.assert(
      fc.property(
        anyDay('2020-01-01', '2030-12-31'),
        fc.date({ min: new Date('2020-01-01'), max: new Date('2032-01-01'), noInvalidDate: true }),
        (subscribedOn, instant) => {
          const { startsAt, endsAt } = monthOf({ startedOn: subscribedOn }, instant);
          expect(startsAt <= instant && instant < endsAt).toBe(true);
          const last = new Date(endsAt.getTime() - 1);
          expect(monthOf({ startedOn: subscribedOn }, last)).toEqual({ startsAt, endsAt });
          expect(monthOf({ startedOn: subscribedOn }, endsAt).startsAt).toEqual(endsAt);
        },
      ),
    );
  });
});
