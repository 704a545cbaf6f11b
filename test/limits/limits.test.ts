import type { RequestListener } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { costOfRun } from '../../src/crawl/run/cost.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { type ListingLimits, termsOf } from '../../src/gateway/limits/limits.ts';
import { amountOf, unknownSubscription } from '../../src/source/listings/index.ts';
import { json, openProcess, type Process, question, withUpstream } from '../gateway/upstream.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { listingLimits } from '../support/listing-limits.ts';
import { openRun } from '../support/open-run.ts';

const database = useDatabase();
beforeEach(() => forgetEverything(database.db));

type Limits = Partial<ListingLimits>;

/** Processes with the same limits, and how many requests the upstream has had. */
async function withProcesses(
  { count = 1, clock, answer, ...limits }: Limits & { count?: number; clock?: Clock; answer?: RequestListener },
  use: (processes: readonly [Process, ...Process[]], sent: () => number) => Promise<void>,
): Promise<void> {
  await withUpstream(
    answer ?? ((_, response) => json(response, 200, { success: true, data: {} })),
    async (upstream) => {
      const processes = Array.from({ length: count }, () =>
        openProcess(database.db, upstream.url, { limits, ...(clock && { clock }) }),
      );
      try {
        await use(processes as [Process, ...Process[]], () => upstream.requests.length);
      } finally {
        await Promise.all(processes.map(({ gateway }) => gateway.close()));
      }
    },
  );
}

/** Headers of a quota that counts each request. */
function quotaOf(limit: number, { used = 0, seconds = 864_000 } = {}): RequestListener {
  let counted = used;
  return (_, response) => {
    counted += 1;
    const headers = {
      'x-ratelimit-requests-limit': String(limit),
      'x-ratelimit-requests-remaining': String(limit - counted),
      'x-ratelimit-requests-reset': String(seconds),
    };
    json(
      response,
      counted > limit ? 429 : 200,
      counted > limit ? { message: 'You have exceeded the MONTHLY quota' } : { success: true, data: {} },
      headers,
    );
  };
}

function playedClock(start: string): Clock & { pass(days: number): void } {
  let at = Date.parse(start);
  return {
    playedFrom: new Date(at),
    now: () => new Date(at),
    pass(days) {
      at += days * 86_400_000;
    },
  };
}

const askUntilHeld = async ({ gateway }: Process): Promise<unknown> => {
  for (;;) {
    const error = await gateway.ask(question).then(
      () => null,
      (caught: unknown) => caught,
    );
    if (error !== null) return error;
  }
};

const ask = ({ gateway }: Process, times: number) =>
  Promise.all(Array.from({ length: times }, () => gateway.ask(question)));

test('counts distinguish endpoints, regions, runs and hours, also without a region or a run', async () => {
  const clock = playedClock('2026-03-05T12:30:00Z');
  await withProcesses({ clock }, async ([{ gateway }]) => {
    const health = { ...question, endpoint: 'health', region: null };
    for (const asked of [question, question, { ...question, runId: 8 }, health]) await gateway.ask(asked);
    clock.pass(1 / 24);
    await gateway.ask(question);
    await gateway.write();
    const rows = await rowsOf(
      database.db,
      `
      select endpoint, region, run_id, to_char(hour, 'HH24') as hour, sent, ok, failed from ops.spend order by 1, 3, 4`,
    );
    expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
      'health   12 1 1 0',
      'uk-category-page uk 8 12 1 1 0',
      'uk-category-page uk  12 2 2 0',
      'uk-category-page uk  13 1 1 0',
    ]);
  });
});

test('counts that cannot be written are written later', async () => {
  await withProcesses({}, async ([{ gateway }], sent) => {
    await gateway.ask(question);
    await database.db.query('alter table ops.spend rename to away');
    await expect(gateway.write()).rejects.toThrow();
    await gateway.ask(question).catch(() => undefined);
    await database.db.query('alter table ops.away rename to spend');
    await gateway.ask(question);
    await gateway.write();
    expect(await rowsOf(database.db, 'select sum(sent)::int as sent, sum(ok)::int as ok from ops.spend')).toEqual([
      { sent: sent(), ok: sent() },
    ]);
  });
});

test('permissions that were not used are given back', async () => {
  await withProcesses({}, async ([process]) => {
    await ask(process, 3);
    await process.gateway.close();
    expect(await rowsOf(database.db, 'select used from ops.listing')).toEqual([{ used: 3 }]);
  });
});

describe('a quota', () => {
  test('a quota that only the headers tell is used up completely and not exceeded', async () => {
    await withProcesses({ count: 2, answer: quotaOf(120) }, async (processes, sent) => {
      const held = await Promise.all(processes.flatMap((process) => [askUntilHeld(process), askUntilHeld(process)]));
      for (const error of held) expect(error).toMatchObject({ kind: 'waits', reason: 'quota_used_up' });
      expect(sent()).toBe(120);
    });
  });

  test('a quota of ours includes requests of others, and its month ends as the headers say', async () => {
    const clock = playedClock('2026-03-05T12:00:00Z');
    const answer = quotaOf(1_000, { used: 997, seconds: 15 * 86_400 });
    await withProcesses({ monthlyQuota: 1_000, clock, answer }, async ([process], sent) => {
      await ask(process, 1);
      await askUntilHeld(process);
      expect(sent()).toBe(3);
      const [{ ends } = { ends: null }] = await rowsOf<{ ends: Date | null }>(
        database.db,
        'select month_ends_at as ends from ops.listing',
      );
      expect(ends).toEqual(new Date('2026-03-20T12:00:00Z'));
    });
  });

  test('a month ends at the earliest of about the same ends, because answers are late', async () => {
    const clock = playedClock('2026-03-05T12:00:00Z');
    await withProcesses({ monthlyQuota: 1_000, clock, answer: quotaOf(1_000) }, async ([process]) => {
      const endAfter = async (seconds: number) => {
        clock.pass(seconds / 86_400);
        await ask(process, 1);
        await process.gateway.write();
        return (await rowsOf<{ ends: Date }>(database.db, 'select month_ends_at as ends from ops.listing'))[0]!.ends;
      };
      expect(await endAfter(0)).toEqual(new Date('2026-03-15T12:00:00Z'));
      expect(await endAfter(2)).toEqual(new Date('2026-03-15T12:00:00Z'));
      expect(await endAfter(3_600)).toEqual(new Date('2026-03-15T13:00:02Z'));
    });
  });

  test('another, daily quota does not reset a quota of ours', async () => {
    const clock = playedClock('2026-03-05T12:00:00Z');
    const answer = quotaOf(7, { seconds: 43_200 });
    await withProcesses({ monthlyQuota: 5, clock, answer }, async ([process]) => {
      for (let i = 0; i < 5; i += 1) {
        await ask(process, 1);
        await process.gateway.write();
      }
      clock.pass(1);
      expect(await askUntilHeld(process)).toMatchObject({ reason: 'month', until: new Date('2026-04-01T00:00:00Z') });
    });
  });

  test('a run requests no more than its share, and others go on', async () => {
    const { runId } = await openRun(database.db);
    await database.db.query('insert into ops.run_budget (run_id, max_requests) values ($1, 3)', [runId]);
    await withProcesses({ count: 2 }, async (processes, sent) => {
      const askForRun = async ({ gateway }: Process) => {
        for (;;) await gateway.ask({ ...question, runId });
      };
      for (const end of await Promise.allSettled(processes.map(askForRun)))
        expect(end).toMatchObject({ reason: { kind: 'waits', reason: 'budget', until: null, exitCode: 75 } });
      expect(sent()).toBe(3);
      await ask(processes[0], 1);
    });
  });
});

const setClock = (to: string) =>
  database.db.query(
    `create or replace function ops.clock() returns timestamptz language sql volatile as $$ select ${to} $$`,
  );

test('a window counts a permission for as long after it as the permission may be kept', async () => {
  const terms = termsOf(listingLimits({ windows: [{ windowMs: 60_000, units: 5 }] }));
  const grantedAt = async (instant: string) => {
    await setClock(`timestamptz '2026-03-01 12:${instant}Z'`);
    const reserve = `select granted from ops.reserve('grocery', 'grocery:key', null, $1, 5, null)`;
    return (await rowsOf<{ granted: number }>(database.db, reserve, [terms]))[0]!.granted;
  };
  try {
    let granted = 0;
    while (granted < 5) granted += await grantedAt('00:00');
    expect(await grantedAt('01:00.45')).toBe(0);
    expect(await grantedAt('01:01.2')).toBeGreaterThan(0);
  } finally {
    await setClock('clock_timestamp()');
  }
});

test('a window of an hour holds even if the database’s clock is set back', async () => {
  await withProcesses({ windows: [{ windowMs: 3_600_000, units: 5 }] }, async ([process], sent) => {
    try {
      await ask(process, 5);
      await setClock(`clock_timestamp() - interval '55 minutes'`);
      expect(await askUntilHeld(process)).toMatchObject({ kind: 'waits', reason: 'hour' });
    } finally {
      await setClock('clock_timestamp()');
    }
    expect(sent()).toBe(5);
  });
});

test('a request costs its share of the plan or, beyond it, the price of an additional request', async () => {
  const subscription = {
    ...unknownSubscription,
    plan: { name: 'Pro', pricePerMonth: amountOf('10', 'USD') },
    pricePerExtraRequest: amountOf('0.05', 'USD'),
  };
  const costOf = async (runId: number) =>
    (await rowsOf<{ cost: unknown }>(database.db, `select ${costOfRun('$1::int')} as cost`, [runId]))[0]!.cost;
  await withProcesses({ monthlyQuota: 1_000, subscription }, async ([{ gateway }]) => {
    for (let i = 0; i < 5; i += 1) await gateway.ask({ ...question, runId: 7 });
    await gateway.write();
    expect(await costOf(7)).toEqual({ amount: '0.05', currency: 'USD' });
  });
  await database.db.query('update ops.listing set used = 500');
  await withProcesses(
    { monthlyQuota: 0, subscription, answer: quotaOf(500, { used: -100 }) },
    async ([{ gateway }]) => {
      await gateway.ask({ ...question, runId: 8 });
      await gateway.write();
      expect(await costOf(8)).toEqual({ amount: '0.05', currency: 'USD' });
    },
  );
});
