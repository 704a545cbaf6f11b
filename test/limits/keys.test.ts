import { expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { createSpend, type ListingLimits } from '../../src/gateway/limits/spend.ts';
import type { Outcome } from '../../src/gateway/spend.ts';
import { question as asked } from '../gateway/upstream.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { listingLimits } from '../support/listing-limits.ts';

const ok: Outcome = { kind: 'ok' };
const refused: Outcome = { kind: 'denied', what: 'HTTP 403: not subscribed' };
const nothingLeft: Outcome = {
  kind: 'ok',
  quota: { limit: 500, remaining: 0, resetsAt: new Date('2026-03-25T12:00:00Z') },
};

const database = useDatabase();

function playedClock(start = '2026-03-05T12:00:00Z'): Clock & { pass(ms: number): void } {
  let at = new Date(start).getTime();
  return {
    playedFrom: new Date(at),
    now: () => new Date(at),
    pass(ms) {
      at += ms;
    },
  };
}

/** Accounts of a process with its own key. */
function openProcess(key: string, clock: Clock, limits: Partial<ListingLimits> = {}) {
  const listing = listingLimits({ ...limits, key: { reveal: () => key } });
  const spend = createSpend({
    db: database.db,
    clock,
    listings: { grocery: listing, stores: listing, property_1: listing, property_2: listing },
  });
  const ask = async (outcome: Outcome) => spend.settle(await spend.reserve(asked), outcome);
  return { ask, close: () => spend.close() };
}

async function health(): Promise<Record<string, unknown>> {
  const { rows } = await database.db.query('select * from marts.listing_now');
  return rows[0] as Record<string, unknown>;
}

test('a refused key stops only the processes that use it', async () => {
  await forgetEverything(database.db);
  const clock = playedClock();
  const good = openProcess('good', clock);
  await good.ask(ok);
  const wrong = openProcess('wrong', clock);
  await wrong.ask(refused);
  await expect(wrong.ask(ok)).rejects.toMatchObject({ name: 'AccessDenied' });
  await good.ask(ok);
  await good.close();
  expect(await health()).toMatchObject({ state: 'ok', paused_until: null });

  await expect(wrong.ask(ok)).rejects.toMatchObject({ name: 'AccessDenied' });
  clock.pass(5 * 60_000);
  await wrong.ask(refused);
  await good.ask(ok);
  await Promise.all([good.close(), wrong.close()]);
  const kept = await database.db.query('select * from ops.listing, ops.stop');
  expect(JSON.stringify(kept.rows)).not.toMatch(/good|wrong/);
});

test('a used-up quota allows one request an hour over all processes, to detect a changed plan', async () => {
  await forgetEverything(database.db);
  const clock = playedClock();
  const processes = ['a', 'b'].map(() => openProcess('key', clock));
  await processes[0]!.ask(nothingLeft);
  await processes[0]!.close();
  let through = 0;
  for (let minute = 0; minute < 180; minute += 10) {
    for (const { ask } of processes)
      await ask(nothingLeft).then(
        () => (through += 1),
        (error) =>
          expect(error).toMatchObject({
            name: 'BudgetExhausted',
            message: expect.stringMatching(
              /after 2026-03-25T.*, or after 2026-03-05T1\d:\d\d:00.000Z if the plan was changed/,
            ),
          }),
      );
    for (const { close } of processes) await close();
    clock.pass(10 * 60_000);
  }
  expect(through).toBe(2);

  clock.pass(60 * 60_000);
  await processes[0]!.ask({ kind: 'ok', quota: { limit: 5_000, remaining: 4_000, resetsAt: null } });
  for (const { ask, close } of processes) {
    await ask(ok);
    await ask(ok);
    await close();
  }
});

test('a stop reported by a process whose clock is ahead stops no other process', async () => {
  await forgetEverything(database.db);
  const ahead = openProcess('key', playedClock('2026-03-08T12:00:00Z'));
  await ahead.ask(nothingLeft);
  await ahead.close();
  const present = openProcess('key', playedClock());
  await present.ask(ok);
  await present.ask(ok);
  await present.close();
});

test('the hourly request that detects a changed plan does not exceed a quota of our own', async () => {
  await forgetEverything(database.db);
  const clock = playedClock();
  const limited = openProcess('key', clock, { monthlyQuota: 2, reserve: 0 });
  await limited.ask(ok);
  await limited.ask({ kind: 'quota', what: 'MONTHLY quota', until: new Date('2026-03-25T12:00:00Z') });
  clock.pass(2 * 60 * 60_000);
  await expect(limited.ask(ok)).rejects.toMatchObject({ name: 'BudgetExhausted' });
  await limited.close();
  const { rows } = await database.db.query('select sum(sent)::int as sent from ops.spend');
  expect(rows).toEqual([{ sent: 2 }]);
});

test('a key with a used-up quota stays stopped however often another key succeeds', async () => {
  await forgetEverything(database.db);
  const clock = playedClock();
  const [poor, rich] = ['poor', 'rich'].map((key) => openProcess(key, clock)) as [Process, Process];
  await poor.ask(nothingLeft);
  await poor.close();
  let through = 0;
  for (let minute = 0; minute < 180; minute += 10) {
    await rich.ask({ kind: 'ok', quota: { limit: 500, remaining: 400 - minute, resetsAt: null } });
    await rich.close();
    await poor.ask(nothingLeft).then(
      () => (through += 1),
      (error) => {
        expect(error).toMatchObject({ name: 'BudgetExhausted', isOfKey: true });
        expect(error.message).toMatch(/(used up|nothing is left).* if the plan was changed/);
      },
    );
    await poor.close();
    clock.pass(10 * 60_000);
  }
  expect(through).toBeLessThanOrEqual(3);
});

type Process = ReturnType<typeof openProcess>;
