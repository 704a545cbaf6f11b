import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountOf,
  type BonusOffer,
  billingMonth,
  bonusOn,
  costOf,
  describeAmount,
  isBilledTwice,
  listings,
  monthlyQuotaOn,
  newListingBonus,
  pricePerMonthOn,
  refundFor,
  type Subscription,
  unknownSubscription,
} from '../../src/source/listings/index.ts';

const { property_1: property } = listings;
const planNamed = (name: string) => property.plans.find((plan) => plan.name === name)!;

function subscribe(name: string, startedOn: string, more: Partial<Subscription> = {}): Subscription {
  return { ...unknownSubscription, plan: planNamed(name), startedOn, ...more };
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);
const anyDay = (min: string, max: string) =>
  fc.date({ min: new Date(`${min}T00:00:00Z`), max: new Date(`${max}T00:00:00Z`), noInvalidDate: true }).map(dayOf);
const paidPlan = fc.constantFrom('Pro', 'Ultra', 'Mega');
const offer: BonusOffer = newListingBonus;

describe('section 8 of the specification: plans', () => {
  test('the real-estate listings have a free tier and plans of 9.99, 49.99 and 99.99 US dollars', () => {
    for (const listing of [listings.property_1, listings.property_2]) {
      expect(
        listing.plans.map(({ name, isFree, pricePerMonth }) => [name, isFree, describeAmount(pricePerMonth!)]),
      ).toEqual([
        ['Basic', true, '0.00 USD'],
        ['Pro', false, '9.99 USD'],
        ['Ultra', false, '49.99 USD'],
        ['Mega', false, '99.99 USD'],
      ]);
    }
  });
});

describe('section 8 of the specification: bonus requests', () => {
  test('bonus requests begin with a subscription to a paid plan until the end of July 2026', () => {
    fc.assert(
      fc.property(paidPlan, anyDay('2026-01-01', '2026-07-31'), fc.nat(3_000), (name, startedOn, days) => {
        const on = dayOf(new Date(Date.parse(`${startedOn}T00:00:00Z`) + days * 86_400_000));
        expect(bonusOn(on, subscribe(name, startedOn, { bonusRequests: 500 }), { offer })).toEqual({
          requests: 500,
          why: null,
        });
      }),
    );
  });

  test('bonus requests are lost by cancelling and subscribing again at any time', () => {
    fc.assert(
      fc.property(paidPlan, anyDay('2026-01-01', '2027-12-31'), (name, startedOn) => {
        const again = subscribe(name, startedOn, { bonusRequests: 500 });
        expect(bonusOn(startedOn, again, { offer, hasCancelled: true }).requests).toBe(0);
      }),
    );
  });

  test('bonus requests are not given to subscriptions that start from 1 August', () => {
    fc.assert(
      fc.property(paidPlan, anyDay('2026-08-01', '2028-12-31'), (name, startedOn) => {
        const late = subscribe(name, startedOn, { bonusRequests: 500 });
        expect(monthlyQuotaOn(startedOn, late, { offer, told: 1_000 })).toBe(1_000);
      }),
    );
    const inTime = subscribe('Pro', '2026-07-31', { bonusRequests: 500 });
    expect(monthlyQuotaOn('2026-08-01', inTime, { offer, told: 1_000 })).toBe(1_500);
    expect(monthlyQuotaOn('2029-02-03', inTime, { offer, told: 1_000 })).toBe(1_500);
  });

  test('bonus requests are for paid plans of a listing that offers them, and end with the subscription', () => {
    const free = subscribe('Basic', '2026-05-01', { bonusRequests: 500 });
    expect(bonusOn('2026-06-01', free, { offer })).toMatchObject({ requests: 0 });
    const paid = subscribe('Pro', '2026-05-01', { bonusRequests: 500, endedOn: '2026-09-01' });
    expect(bonusOn('2026-08-31', paid, { offer }).requests).toBe(500);
    expect(bonusOn('2026-09-01', paid, { offer }).requests).toBe(0);
    expect(bonusOn('2026-08-31', paid, { offer: null }).requests).toBe(0);
    expect(listings.grocery.bonusOffer).toBeNull();
  });

  test('bonus requests are not assumed if the plan or the start date is unknown', () => {
    const told = subscribe('Pro', '2026-05-01', { bonusRequests: 500 });
    expect(bonusOn('2026-06-01', { ...told, plan: null }, { offer }).requests).toBe(0);
    expect(bonusOn('2026-06-01', { ...told, startedOn: null }, { offer }).requests).toBe(0);
  });

  test('bonus requests do not change a quota that is unlimited or unknown', () => {
    const paid = subscribe('Pro', '2026-05-01', { bonusRequests: 500 });
    expect(monthlyQuotaOn('2026-06-01', paid, { offer, told: 0 })).toBe(0);
    expect(monthlyQuotaOn('2026-06-01', paid, { offer, told: null })).toBeNull();
  });
});

describe('section 9 of the specification: two listings at once', () => {
  const replaced = subscribe('Ultra', '2026-01-10');
  const replacing = subscribe('Ultra', '2026-05-01');

  test('both listings are billed while both are subscribed', () => {
    expect(isBilledTwice('2026-04-30', replaced, replacing)).toBe(false);
    expect(isBilledTwice('2026-05-01', replaced, replacing)).toBe(true);
    expect(pricePerMonthOn('2026-05-01', [replaced, replacing])).toEqual(amountOf('99.98', 'USD'));
    const cancelled = { ...replaced, endedOn: '2026-05-04' };
    expect(isBilledTwice('2026-05-04', cancelled, replacing)).toBe(false);
    expect(pricePerMonthOn('2026-05-04', [cancelled, replacing])).toEqual(amountOf('49.99', 'USD'));
  });

  test('the price of several subscriptions is their sum, and unknown if one of them is', () => {
    fc.assert(
      fc.property(fc.array(paidPlan, { minLength: 1, maxLength: 5 }), (names) => {
        const all = names.map((name) => subscribe(name, '2026-01-01'));
        const sum = names.reduce((total, name) => total + planNamed(name).pricePerMonth!.micros, 0);
        expect(pricePerMonthOn('2026-02-01', all)?.micros).toBe(sum);
        expect(pricePerMonthOn('2026-02-01', [...all, { ...unknownSubscription }])).toBeNull();
        expect(pricePerMonthOn('2025-12-31', all)).toBeNull();
      }),
    );
  });

  test('the refund of the old plan is its price by the share of unused quota, never more and never negative', () => {
    fc.assert(
      fc.property(paidPlan, fc.integer({ min: 1, max: 5_000_000 }), fc.nat(6_000_000), (name, quota, used) => {
        const price = planNamed(name).pricePerMonth!.micros;
        const { amount } = refundFor('2026-05-02', { replaced: subscribe(name, '2026-01-10'), replacing, quota, used });
        const exact = (BigInt(price) * BigInt(Math.max(quota - used, 0))) / BigInt(quota);
        expect(BigInt(amount!.micros)).toBe((exact / 10_000n) * 10_000n);
        expect(amount!.micros).toBeLessThanOrEqual(price);
      }),
    );
  });

  test('there is no refund before the new listing is subscribed, or if the quota is unknown', () => {
    const before = refundFor('2026-04-30', { replaced, replacing, quota: 1_000, used: 10 });
    expect(before).toEqual({ amount: null, why: 'the listing that replaces it has to be subscribed first' });
    expect(refundFor('2026-05-02', { replaced, replacing, quota: null, used: 10 }).amount).toBeNull();
    const free = refundFor('2026-05-02', {
      replaced: subscribe('Basic', '2026-01-01'),
      replacing,
      quota: 500,
      used: 0,
    });
    expect(free.amount?.micros).toBe(0);
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
      const month = billingMonth('2025-12-31', new Date(`${start}T12:00:00Z`));
      expect([dayOf(month.startsAt), dayOf(month.endsAt)]).toEqual([start, starts[i + 1]]);
    });
    expect(billingMonth(null, new Date('2026-03-31T23:59:59Z'))).toEqual({
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
          const { startsAt, endsAt } = billingMonth(subscribedOn, instant);
          expect(startsAt <= instant && instant < endsAt).toBe(true);
          const last = new Date(endsAt.getTime() - 1);
          expect(billingMonth(subscribedOn, last)).toEqual({ startsAt, endsAt });
          expect(billingMonth(subscribedOn, endsAt).startsAt).toEqual(endsAt);
        },
      ),
    );
  });
});
