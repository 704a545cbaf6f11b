import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { ListingName } from '../../src/base/model/index.ts';
import type { Database, Queryable } from '../../src/db/client.ts';
import { createGate } from '../../src/gateway/limits/gate.ts';
import type { ListingLimits } from '../../src/gateway/limits/terms.ts';
import { createMeter } from '../../src/simulator/meter.ts';
import { defaultBehaviour } from '../../src/simulator/settings.ts';
import { playDatabaseClock } from '../prove/spend/played-spend.ts';
import { useDatabase } from '../support/database.ts';
import { listingLimits } from '../support/listing-limits.ts';
import { createVirtualTime, type VirtualTime } from '../support/virtual-time.ts';

describe('the pace of several processes', () => {
  const database = useDatabase();
  beforeAll(() => playDatabaseClock(database.db));

  test.each([
    [1, 20],
    [5, 60],
    [40, 150],
  ])(
    'several processes use 98 % of %i requests a second and never exceed them',
    async (requestsPerSecond, requests) => {
      const sentMs = await sustain(database.db, { requestsPerSecond }, requests);
      expect(refusedOf(sentMs, { requestsPerSecond })).toBe(0);
      expect(achieved(sentMs)).toBeGreaterThanOrEqual(0.98 * requestsPerSecond);
    },
  );

  test('several processes use at least 98 % of what a minute allows', async () => {
    const limits = { requestsPerSecond: 5, windows: [{ windowMs: 60_000, units: 30 }] };
    const sentMs = await sustain(database.db, limits, 30 * 4 + 1);
    expect(refusedOf(sentMs, { requestsPerSecond: 5, requestsPerMinute: 30 })).toBe(0);
    // Sends a minute's limit as early as allowed, over a little more than three minutes.
    expect((sentMs.at(-1)! - sentMs[0]!) / 4).toBeLessThanOrEqual(60_000 / 0.98);
  });

  test('the pace is even: requests are not sent in bursts after a pause', async () => {
    const sentMs = await sustain(database.db, { requestsPerSecond: 5 }, 20, { restAfter: 10 });
    const gaps = sentMs.slice(1).map((ms, i) => ms - sentMs[i]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
  });

  test('the pace does not wait because a clock was set back', async () => {
    const far = Date.parse('2027-01-01T00:00:00Z');
    await database.db.query(`insert into ops.listing (listing, host, next_slot_ms) values ($1, 'host', $2)`, [
      `paced_${listings + 1}`,
      far,
    ]);
    const sentMs = await sustain(database.db, { requestsPerSecond: 5 }, 5);
    expect(sentMs.at(-1)! - sentMs[0]!).toBeLessThan(1_100);
  });

  test('after a pause, a reservation still serves several requests', async () => {
    const time = createVirtualTime(Date.parse('2026-03-05T12:00:00Z'));
    const listing = `paced_${++listings}` as ListingName;
    const statements: string[] = [];
    const connection = connectionIn(time, database.db, statements);
    const timing = time.seenBy({ offsetMs: 0, drift: 0 });
    const limits = listingLimits({ requestsPerSecond: 5 });
    const gate = createGate({ db: connection, clock: systemClock, timing, listing, limits });
    const ask = async () => {
      const reservation = await gate.enter({ listing, endpoint: 'uk-category-page', region: 'uk', runId: 1 });
      expect(gate.sent(reservation)).toBe(true);
      await gate.settle(reservation, { kind: 'ok' });
    };
    const askAll = (requests: number) => Promise.all(Array.from({ length: requests }, ask));
    await time.passUntil(
      (async () => {
        await ask();
        await askAll(9);
        await ask();
        await gate.write();
        await time.sleep(300);
        statements.length = 0;
        await askAll(40);
      })(),
    );
    expect(statements.filter((text) => text.includes('ops.reserve')).length).toBeLessThanOrEqual(8);
  });

  test('a pace below one request a second leaves more than a second between requests', async () => {
    const sentMs = await sustain(database.db, { requestsPerSecond: 0.5 }, 5);
    const gaps = sentMs.slice(1).map((ms, i) => ms - sentMs[i]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_000);
    expect(Math.max(...gaps)).toBeLessThan(2_100);
  });
});

let listings = 0;

/** A connection whose statements take no virtual time; their texts are appended to `statements`. */
function connectionIn(time: VirtualTime, db: Database, statements: string[] = []): Queryable {
  return {
    query: (text: string, values?: readonly unknown[]) => {
      statements.push(text);
      return time.busy(async () => {
        await db.query('update public.played_clock set ms = $1', [time.nowMs()]);
        return db.query(text, values) as Promise<never>;
      });
    },
  };
}

/** Times of requests of two processes that always have more to send. */
async function sustain(
  db: Database,
  given: Partial<ListingLimits>,
  requests: number,
  { restAfter = 0 }: { restAfter?: number } = {},
): Promise<number[]> {
  const time = createVirtualTime(Date.parse('2026-03-05T12:00:00Z'));
  const listing = `paced_${++listings}` as ListingName;
  const sentMs: number[] = [];
  const connection = connectionIn(time, db);
  const process = async (offsetMs: number) => {
    const timing = time.seenBy({ offsetMs, drift: 0 });
    const limits = listingLimits(given);
    const gate = createGate({ db: connection, clock: systemClock, timing, listing, limits });
    const ask = async () => {
      while (sentMs.length < requests) {
        const reservation = await gate.enter({ listing, endpoint: 'uk-category-page', region: 'uk', runId: 1 });
        if (sentMs.length >= requests) return;
        const isSent = gate.sent(reservation);
        if (isSent) sentMs.push(time.nowMs());
        if (sentMs.length === restAfter) await time.sleep(60_000);
        await time.sleep(60);
        await gate.settle(reservation, { kind: isSent ? 'ok' : 'unsent' });
      }
    };
    await Promise.all(Array.from({ length: restAfter > 0 ? 1 : 8 }, ask));
  };
  await time.passUntil(Promise.all(restAfter > 0 ? [process(0)] : [process(0), process(5_000)]));
  return sentMs;
}

function refusedOf(sentMs: readonly number[], limits: Partial<typeof defaultBehaviour>): number {
  const meter = createMeter({ ...defaultBehaviour, burst: 0, ...limits }, 0);
  return sentMs.filter((ms) => meter.admits(ms) !== null).length;
}

function achieved(sentMs: readonly number[]): number {
  return ((sentMs.length - 1) * 1_000) / (sentMs.at(-1)! - sentMs[0]!);
}
