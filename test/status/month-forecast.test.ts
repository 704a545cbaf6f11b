import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeStatus } from '../../src/cli/describe-status.ts';
import { forecastMonth } from '../../src/crawl/status/month-forecast.ts';
import { readListings } from '../../src/questions/status.ts';
import { amountOf, type Subscription, unknownSubscription } from '../../src/source/listings/index.ts';
import { statusJson } from '../../src/web/status-json.ts';
import { useDatabase } from '../support/database.ts';

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

  it('is what is spent and the days that are left at the pace, and says what of it is beyond the quota', () => {
    fc.assert(
      fc.property(spent, (month) => {
        const { requests, beyondQuota } = forecastMonth(month, undefined)!;
        const days = Math.max(0, (month.endsAt.getTime() - month.now.getTime()) / day);
        expect(Math.abs(requests - month.used - month.requestsADay * days)).toBeLessThanOrEqual(0.5);
        expect(beyondQuota).toBe(month.included ? Math.max(0, requests - month.included) : 0);
      }),
    );
  });

  it('costs the plan and each request beyond it, and nothing is said of a price that is not told', () => {
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

describe('a listing between two nights', () => {
  const database = useDatabase();
  const at = (now: string, quota: number | null = 40_000) =>
    readListings(
      database.db,
      new Date(now),
      new Map([['grocery', quota]] as const),
      new Map([['grocery', subscription]] as const),
    );

  beforeAll(async () => {
    // Nights of 1,000 requests at two in the morning, before and after the month of the subscription turns on the 20th.
    await database.db.query(
      `insert into ops.spend (listing, endpoint, region, hour, sent, units)
       select 'grocery', 'uk-category-page', 'uk', night + interval '2 hours', 1000, 1000
       from generate_series(timestamptz '2026-03-10 00:00Z', timestamptz '2026-03-22 00:00Z', interval '1 day') as night`,
    );
  });

  it('has spent what was asked since the month of its subscription began, and goes by the nights of the last week', async () => {
    const [grocery] = await at('2026-03-22T12:00:00Z');
    expect(grocery).toMatchObject({
      requestsSpent: 3_000,
      forecast: { endsAt: new Date('2026-04-20T00:00:00Z'), requestsADay: 1_000, requests: 31_500, beyondQuota: 0 },
    });
  });

  it('that has three nights behind it has the pace of three nights', async () => {
    const [grocery] = await at('2026-03-12T12:00:00Z');
    expect(grocery).toMatchObject({ requestsSpent: 3_000, forecast: { requestsADay: 1_000 } });
  });

  it('whose key others use, too, has used what they spent: cost and forecast begin with it', async () => {
    await database.db.query(
      `insert into ops.listing (listing, host, month_starts_at, month_ends_at, month_limit, used, used_by_others)
       values ('grocery', 'host', '2026-03-20 00:00Z', '2026-04-20 00:00Z', 40000, 3000, 38000)`,
    );
    const [grocery] = await at('2026-03-22T12:00:00Z');
    await database.db.query('delete from ops.listing');
    expect(grocery).toMatchObject({
      requestsSpent: 3_000,
      spentByOthers: 38_000,
      requestsUsed: 41_000,
      cost: { amount: '50.99', currency: 'USD' },
      forecast: { requestsADay: 1_000, requests: 69_500, beyondQuota: 29_500 },
    });
    const status = { at: new Date(), regions: [], listings: [grocery!], workersAlive: 0, quarantined: 0 };
    expect(describeStatus(status)).toContain(
      'grocery: 41,000 of 40,000 requests this month, 38,000 of them by others with the same key, 50.99 USD',
    );
    expect(statusJson(status).listings).toMatchObject([{ requests_spent: 3_000, spent_by_others: 38_000 }]);
  });

  it('whose quota the headers alone tell, or that goes beyond it, costs what is beyond as well', async () => {
    const told = (limit: number, resetsAt: string) =>
      database.db.query(
        `insert into ops.listing (listing, host, quota_limit, quota_remaining, quota_resets_at, quota_seen_at)
         values ('grocery', 'host', $1, 0, $2, '2026-03-22 12:00Z')
         on conflict (listing) do update set quota_limit = $1, quota_resets_at = $2`,
        [limit, resetsAt],
      );
    for (const quota of [null, 0]) {
      await database.db.query('delete from ops.listing');
      const unknown = { requestsUsed: 3_000, cost: null, forecast: { beyondQuota: 0, cost: null } };
      expect((await at('2026-03-22T12:00:00Z', quota))[0]).toMatchObject(unknown);
      await told(2_500, '2026-04-20T00:00:00Z');
      expect((await at('2026-03-22T12:00:00Z', quota))[0]).toMatchObject({
        cost: { amount: '50.49', currency: 'USD' },
        forecast: { requests: 31_500, beyondQuota: 29_000, cost: { amount: '78.99' } },
      });
      // A day's: how many of the month are beyond it is not known.
      await told(2_500, '2026-03-23T00:00:00Z');
      expect((await at('2026-03-22T12:00:00Z', quota))[0]).toMatchObject(unknown);
    }
    await database.db.query('delete from ops.listing');
  });

  it('that was asked nothing for a week has no forecast, and a night ahead of the clock is none yet', async () => {
    expect((await at('2026-03-30T12:00:00Z'))[0]!.forecast).toBeNull();
    expect((await at('2026-03-09T12:00:00Z'))[0]).toMatchObject({ requestsSpent: 0, forecast: null });
  });
});
