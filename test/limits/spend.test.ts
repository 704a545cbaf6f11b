import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { costOfRun } from '../../src/crawl/ledger/run-cost.ts';
import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSpend, type ListingLimits } from '../../src/gateway/limits/spend.ts';
import type { Outcome, Reservation } from '../../src/gateway/spend.ts';
import { amountOf, unknownSubscription } from '../../src/source/listings/index.ts';
import { question as asked } from '../gateway/upstream.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { listingLimits } from '../support/listing-limits.ts';

const ok: Outcome = { kind: 'ok' };

const database = useDatabase();

async function inEmptyBook(use: (database: { db: Database }) => Promise<void>): Promise<void> {
  await forgetEverything(database.db);
  await use(database);
}

type Limits = Partial<ListingLimits> & { clock?: Clock };

/** One process's accounts of a database that others share. */
function openSpend(db: Database, { clock = systemClock, ...limits }: Limits = {}) {
  const listing = listingLimits(limits);
  return createSpend({
    db,
    clock,
    listings: { grocery: listing, stores: listing, property_1: listing, property_2: listing },
  });
}

async function counted(db: Database): Promise<Record<string, number>> {
  const { rows } = await db.query(
    `select coalesce(sum(sent), 0)::int as sent, coalesce(sum(ok), 0)::int as ok,
       coalesce(sum(failed), 0)::int as failed,
       coalesce(sum(rate_limited), 0)::int as rate_limited, coalesce(sum(aborted), 0)::int as aborted,
       count(*)::int as rows
       from ops.spend`,
  );
  return rows[0] as Record<string, number>;
}

function clockAt(start: string): Clock & { advance(ms: number): void } {
  let at = new Date(start).getTime();
  return {
    playedFrom: new Date(at),
    now: () => new Date(at),
    advance(ms) {
      at += ms;
    },
  };
}

async function spendAll(spend: ReturnType<typeof openSpend>, count: number, outcome: Outcome = ok): Promise<void> {
  await Promise.all(Array.from({ length: count }, async () => spend.settle(await spend.reserve(asked), outcome)));
}

describe('counting', () => {
  test('counts distinguish listings, endpoints, regions, runs and hours, also without a region or a run', async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:59:59Z');
      const spend = openSpend(db, { clock });
      const health = { ...asked, listing: 'stores', endpoint: 'health', region: null, runId: null } as const;
      for (const question of [asked, asked, { ...asked, runId: 8 }, health, health])
        await spend.settle(await spend.reserve(question), ok);
      clock.advance(1_000);
      await spend.settle(await spend.reserve(asked), { kind: 'failed' });
      await spend.close();
      const { rows } = await db.query(
        `select listing, region, run_id, to_char(hour, 'HH24') as hour, sent, ok, failed
         from ops.spend
         order by 1, 4, 3`,
      );
      expect(rows.map((row) => Object.values(row as object).join(' '))).toEqual([
        'grocery uk 7 12 2 2 0',
        'grocery uk 8 12 1 1 0',
        'grocery uk 7 13 1 0 1',
        'stores   12 2 2 0',
      ]);
    });
  });
});

test('a request that was cancelled while it was admitted is not counted when the accounts are closed', async () => {
  await inEmptyBook(async ({ db }) => {
    const spend = openSpend(db);
    const hangingUp = new AbortController();
    const asking = spend.reserve(asked, { signal: hangingUp.signal });
    // In this turn of the event loop it still waits for others; in the next its count is on the way to the database.
    setImmediate(() => hangingUp.abort(new Error('enough')));
    await expect(asking).rejects.toThrow('enough');
    await spend.close();
    expect(await counted(db)).toMatchObject({ sent: 0, aborted: 0 });
  });
});

async function nextSlotMs(db: Database): Promise<number> {
  const [row] = await rowsOf<{ ms: number }>(db, 'select next_slot_ms as ms from ops.listing');
  return row!.ms;
}

describe('pace', () => {
  test('two processes share the pace: each takes the next free slot', async () => {
    await inEmptyBook(async ({ db }) => {
      const spends = [openSpend(db, { requestsPerSecond: 100 }), openSpend(db, { requestsPerSecond: 100 })];
      await Promise.all(spends.map((spend) => spendAll(spend, 1)));
      const begun = await nextSlotMs(db);
      await Promise.all(spends.map((spend) => spendAll(spend, 40)));
      await Promise.all(spends.map((spend) => spend.close()));
      // The schedule may fall behind the clock where the machine is busy, never run ahead of the rate.
      expect((await nextSlotMs(db)) - begun).toBeGreaterThanOrEqual(79 * 10);
      expect(await counted(db)).toMatchObject({ sent: 82, ok: 82 });
    });
  });

  test('the pace pauses for all processes when one is rate-limited', async () => {
    await inEmptyBook(async ({ db }) => {
      const [one, other] = [openSpend(db, { requestsPerSecond: 50 }), openSpend(db, { requestsPerSecond: 50 })];
      const reservation = await one.reserve(asked);
      const before = await nextSlotMs(db);
      await one.settle(reservation, { kind: 'rate_limited', retryAfterMs: 600 });
      const paused = await nextSlotMs(db);
      expect(paused - before).toBeGreaterThanOrEqual(500);
      await other.settle(await other.reserve(asked), ok);
      expect(await nextSlotMs(db)).toBeGreaterThan(paused);
      await Promise.all([one.close(), other.close()]);
    });
  });

  test('the pace does not delay a cancelled caller, and sends no request for it', async () => {
    await inEmptyBook(async ({ db }) => {
      const spend = openSpend(db, { requestsPerSecond: 2 });
      await spend.settle(await spend.reserve(asked), ok);
      const controller = new AbortController();
      const hungUp = spend.reserve(asked, { signal: controller.signal });
      const queued = spend.reserve(asked, { signal: controller.signal });
      const patient = spend.reserve(asked);
      setTimeout(() => controller.abort(new Error('enough')), 100);
      await expect(hungUp).rejects.toThrow('enough');
      await expect(queued).rejects.toThrow('enough');
      await spend.settle(await patient, ok);
      await expect(spend.reserve(asked, { signal: controller.signal })).rejects.toThrow('enough');
      await spend.close();
      expect(await counted(db)).toMatchObject({ sent: 2, ok: 2, aborted: 0 });
    });
  });
});

describe('a quota of ours', () => {
  test('a quota of ours is used up completely and never exceeded, with any number of processes', async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const spends = Array.from({ length: 4 }, () => openSpend(db, { monthlyQuota: 200, clock }));
      const untilRefused = async (spend: ReturnType<typeof openSpend>) => {
        for (;;) await spend.settle(await spend.reserve(asked), ok);
      };
      const ends = await Promise.allSettled(spends.flatMap((spend) => [untilRefused(spend), untilRefused(spend)]));
      for (const end of ends) {
        const reason: unknown = end.status === 'rejected' ? end.reason : null;
        expect(reason).toMatchObject({ name: 'BudgetExhausted', until: new Date('2026-04-01T00:00:00Z') });
      }
      await Promise.all(spends.map((spend) => spend.close()));
      expect(await counted(db)).toMatchObject({ sent: 200, ok: 200 });
    });
  });

  test("a quota of ours includes requests of others and follows the subscription's months", async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const spend = openSpend(db, { monthlyQuota: 1_000, clock });
      const resetsAt = new Date('2026-03-20T08:00:00Z');
      await spend.settle(await spend.reserve(asked), { kind: 'ok', quota: { limit: 1_000, remaining: 2, resetsAt } });
      await spend.close();
      await spend.settle(await spend.reserve(asked), { kind: 'ok', quota: { limit: 1_000, remaining: 0, resetsAt } });
      await spend.close();
      await expect(spend.reserve(asked)).rejects.toMatchObject({ name: 'BudgetExhausted', until: resetsAt });
      clock.advance(15 * 86_400_000);
      await spendAll(spend, 5);
      await spend.close();
    });
  });

  test.each([3, 3_000])('another, daily quota of %d requests does not reset a quota of ours', async (limit) => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const spend = openSpend(db, { monthlyQuota: 5, clock });
      await spendAll(spend, 5, {
        kind: 'ok',
        quota: { limit, remaining: limit - 1, resetsAt: new Date('2026-03-06T00:00:00Z') },
      });
      await spend.close();
      clock.advance(86_400_000);
      await expect(spend.reserve(asked)).rejects.toMatchObject({ until: new Date('2026-04-01T00:00:00Z') });
    });
  });
});

describe('a quota whose reset moves with each answer', () => {
  test('a quota whose reset moves ends a month after its start, and the rest is used until then', async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const spend = openSpend(db, { monthlyQuota: 10, clock });
      for (let day = 0; day < 70; day++) {
        const resetsAt = new Date(clock.now().getTime() + 30 * 86_400_000);
        if (day % 5 === 0) await spendAll(spend, 1, { kind: 'ok', quota: { limit: 10, remaining: 9, resetsAt } });
        await spend.close();
        clock.advance(86_400_000);
      }
      expect(await counted(db)).toMatchObject({ sent: 14 });
    });
  });
});

describe('reserves and windows', () => {
  const details = { ...asked, endpoint: 'uk-product-details' };

  test('a monthly reserve is kept for the pages of an open run and for health probes', async () => {
    await inEmptyBook(async ({ db }) => {
      const spend = openSpend(db, { monthlyQuota: 6, reserve: 2, clock: clockAt('2026-03-05T12:00:00Z') });
      for (let i = 0; i < 4; i++) await spend.settle(await spend.reserve(details), ok);
      await expect(spend.reserve(details)).rejects.toMatchObject({ name: 'BudgetExhausted' });
      await expect(spend.reserve({ ...asked, runId: null })).rejects.toMatchObject({ name: 'BudgetExhausted' });
      await spend.settle(await spend.reserve(asked), ok);
      await spend.settle(await spend.reserve({ ...details, isHealthProbe: true }), ok);
      await expect(spend.reserve(asked)).rejects.toMatchObject({ name: 'BudgetExhausted' });
      await spend.close();
    });
  });

  test.each([20, 55])(
    'a window of an hour holds even if the database’s clock is set back by %d minutes',
    async (minutes) => {
      await inEmptyBook(async ({ db }) => {
        const setBack = (by: number) =>
          db.query(
            `create or replace function ops.clock_ms() returns double precision language sql volatile
             as $$ select (extract(epoch from clock_timestamp()) * 1000)::float8 - ${by * 60_000} $$`,
          );
        const spend = openSpend(db, { windows: [{ windowMs: 3_600_000, units: 5 }] });
        try {
          await spendAll(spend, 5);
          await setBack(minutes);
          await expect(spend.reserve(asked)).rejects.toMatchObject({ name: 'BudgetExhausted' });
        } finally {
          await setBack(0);
          await spend.close();
        }
        expect(await counted(db)).toMatchObject({ sent: 5 });
      });
    },
  );
});

describe('what requests cost', () => {
  const plan = { name: 'Pro', isFree: false };
  const subscription = {
    ...unknownSubscription,
    plan: { ...plan, pricePerMonth: amountOf('10', 'USD') },
    pricePerExtraRequest: amountOf('0.05', 'USD'),
  };

  test('requests are recorded with their share of the plan, or the price of an additional request', async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const spend = openSpend(db, { clock, monthlyQuota: 1_000, subscription });
      await spendAll(spend, 5);
      await spend.close();
      expect(await costsOf(db)).toEqual({ cost: { amount: '0.05', currency: 'USD' } });
      const beyond = openSpend(db, { clock, monthlyQuota: 0, subscription });
      await beyond.settle(await beyond.reserve({ ...asked, runId: 8 }), {
        kind: 'ok',
        quota: { limit: 6, remaining: 0, resetsAt: null },
      });
      await beyond.close();
      await beyond.settle(await beyond.reserve({ ...asked, runId: 9 }), ok);
      await beyond.close();
      expect(await costsOf(db, 9)).toEqual({ cost: { amount: '0.05', currency: 'USD' } });
    });
  });
});

async function costsOf(db: Database, runId = 7): Promise<unknown> {
  const { rows } = await db.query(`select ${costOfRun('$1::int')} as cost`, [runId]);
  return rows[0];
}

describe('a stop', () => {
  const usedUp: Outcome = { kind: 'quota', what: 'used up', until: new Date('2026-03-06T00:00:00Z') };

  test('a stop by the upstream’s quota holds for every process at once', async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const [one, other] = [openSpend(db, { clock }), openSpend(db, { clock })];
      await spendAll(other, 1);
      await one.settle(await one.reserve(asked), usedUp);
      for (const spend of [one, other]) {
        await expect(spend.reserve(asked)).rejects.toMatchObject({
          name: 'BudgetExhausted',
          until: new Date('2026-03-06T00:00:00Z'),
        });
      }
      await Promise.all([one.close(), other.close()]);
    });
  });

  test('a stop ends with one test request, while the others wait for its result', async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const spend = openSpend(db, { clock });
      await spend.settle(await spend.reserve(asked), usedUp);
      clock.advance(86_400_000);
      const entered: Reservation[] = [];
      const all = Promise.all(
        Array.from({ length: 10 }, async () => {
          const reservation = await spend.reserve(asked);
          entered.push(reservation);
          return reservation;
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(entered).toHaveLength(1);
      await spend.settle(entered[0]!, ok);
      expect(await all).toHaveLength(10);
      await spend.close();
    });
  });

  test('a stop continues if the test request fails again', async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const spend = openSpend(db, { clock });
      await spend.settle(await spend.reserve(asked), { kind: 'denied', what: 'HTTP 403: not subscribed' });
      await expect(spend.reserve(asked)).rejects.toMatchObject({
        name: 'AccessDenied',
        message: expect.stringContaining('GROCERY_KEY'),
      });
      clock.advance(5 * 60_000);
      const probe = await spend.reserve(asked);
      const others = Promise.allSettled([spend.reserve(asked), spend.reserve(asked)]);
      await spend.settle(probe, { kind: 'denied', what: 'HTTP 403: not subscribed' });
      expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      await spend.close();
      expect((await counted(db))['sent']).toBe(2);
    });
  });

  test('endless failures cause a stop, which costs two requests a minute', async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const spend = openSpend(db, { clock });
      for (let i = 0; i < 20; i++) await spend.settle(await spend.reserve(asked), { kind: 'failed', what: 'HTTP 502' });
      let sent = 0;
      for (let minute = 0; minute < 10; minute += 0.1) {
        const reservation = await spend.reserve(asked).catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'UpstreamUnavailable', message: expect.stringContaining('HTTP 502') });
          return null;
        });
        if (reservation) {
          sent += 1;
          await spend.settle(reservation, { kind: 'failed', what: 'HTTP 502' });
        }
        clock.advance(6_000);
      }
      expect(sent).toBeGreaterThan(10);
      expect(sent).toBeLessThanOrEqual(20);
      await spend.close();
    });
  });

  test('a stop ends when a health probe is answered, with one probe in ten minutes', async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const spend = openSpend(db, { clock });
      const failed: Outcome = { kind: 'failed', what: 'HTTP 502' };
      const probed = { ...asked, isHealthProbe: true };
      const failUntilStopped = async () => {
        for (let i = 0; i < 20; i++) await spend.settle(await spend.reserve(asked), failed);
      };

      await failUntilStopped();
      const [held, heard] = await Promise.allSettled([spend.reserve(asked), spend.reserve(probed)]);
      expect([held.status, heard.status]).toEqual(['rejected', 'fulfilled']);
      if (heard.status === 'fulfilled') await spend.settle(heard.value, ok);
      await failUntilStopped();

      let heardAgain = 0;
      for (let minute = 0; minute < 20; minute++) {
        const reservation = await spend.reserve(asked).catch(() => null);
        if (reservation) await spend.settle(reservation, failed);
        const looking = await spend.reserve(probed).catch(() => null);
        if (looking) {
          heardAgain += 1;
          await spend.settle(looking, failed);
        }
        clock.advance(60_000);
      }
      expect(heardAgain).toBe(2);
      await spend.close();
    });
  });

  test('a stop for a refused key is replaced if the upstream cannot be reached', async () => {
    await inEmptyBook(async ({ db }) => {
      const before = openSpend(db);
      await before.settle(await before.reserve(asked), { kind: 'denied', what: 'Invalid API key.' });
      await expect(before.reserve(asked)).rejects.toThrow('listing: Invalid API key. Check');
      await before.close();

      const withAnotherKey = openSpend(db);
      for (let i = 0; i < 3; i++) {
        const reservation = await withAnotherKey.reserve(asked);
        await withAnotherKey.settle(reservation, { kind: 'failed', what: 'nobody listens there', isAgain: i > 0 });
      }
      await withAnotherKey.close();
    });
  });

  test('headers that report nothing left cause a stop, unless a quota is set', async () => {
    await inEmptyBook(async ({ db }) => {
      const clock = clockAt('2026-03-05T12:00:00Z');
      const quota = { limit: 500, remaining: 0, resetsAt: new Date('2026-03-05T13:00:00Z') };
      const spend = openSpend(db, { clock });
      await spend.settle(await spend.reserve(asked), { kind: 'ok', quota });
      await spend.close();
      await expect(spend.reserve(asked)).rejects.toMatchObject({ name: 'BudgetExhausted', until: quota.resetsAt });
      const unlimited = openSpend(db, { clock, monthlyQuota: 0 });
      await spendAll(unlimited, 1);
      await unlimited.close();
      clock.advance(3_600_000);
      await spendAll(spend, 1);
      await spend.close();
    });
  });
});

test('every outcome is counted once, however often the answer of the database is lost', async () => {
  await inEmptyBook(async ({ db }) => {
    let asked = 0;
    const query: Database['query'] = async (...statement) => {
      const rows = await db.query(...statement);
      asked += 1;
      if (String(statement[0]).includes('ops.settle') && asked % 3 !== 0) throw new Error('the connection was lost');
      return rows as never;
    };
    const spend = openSpend({ ...db, query });
    for (let round = 0; round < 5; round++) {
      await spendAll(spend, 7);
      for (let tries = 0; tries < 2; tries++) await spend.close().catch(() => undefined);
    }
    while (
      !(await spend.close().then(
        () => true,
        () => false,
      ))
    );
    expect(await counted(db)).toMatchObject({ sent: 35, ok: 35, rows: 1 });
  });
});

test('the state of one listing is saved even if that of another cannot be written', async () => {
  await inEmptyBook(async ({ db }) => {
    const spend = openSpend(db);
    const quota = { limit: 500, remaining: 499, resetsAt: null };
    await db.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'cannot be written'; end $$;
      create trigger refuse before update on ops.listing for each row
        when (new.listing = 'grocery' and new.quota_remaining is not null) execute function refuse()`);
    for (const listing of ['grocery', 'stores', 'property_1'] as const)
      await spend.settle(await spend.reserve({ ...asked, listing }), { kind: 'ok', quota });
    await expect(spend.close()).rejects.toThrow('cannot be written');
    const readKnown = async () =>
      (
        await db.query(
          'select listing, quota_remaining as left from ops.listing where quota_remaining is not null order by listing',
        )
      ).rows;
    expect(await readKnown()).toEqual([
      { listing: 'property_1', left: 499 },
      { listing: 'stores', left: 499 },
    ]);

    await db.query('drop trigger refuse on ops.listing');
    await spend.close();
    expect(await readKnown()).toHaveLength(3);
  });
});
