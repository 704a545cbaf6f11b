import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Database, Queryable } from '../../src/db/client.ts';
import { DatabaseClock } from '../../src/gateway/limits/clock.ts';
import { Gate } from '../../src/gateway/limits/gate.ts';
import type { ListingLimits } from '../../src/gateway/limits/limits.ts';
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
    [5, 60],
    [40, 150],
  ])(
    'several processes use 97 % of %i requests a second and never exceed them',
    async (requestsPerSecond, requests) => {
      const sentMs = await sustain(database.db, { requestsPerSecond }, requests);
      expect(refusedOf(sentMs, { requestsPerSecond })).toBe(0);
      expect(achieved(sentMs)).toBeGreaterThanOrEqual(0.97 * requestsPerSecond);
    },
  );

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

  test('a listing that goes on failing is waited for a minute in all, however many probes find it so', async () => {
    const time = createVirtualTime(Date.parse('2026-03-05T12:00:00Z'));
    const timing = time.seenBy({ offsetMs: 0, drift: 0 });
    const request = { endpoint: 'uk-category-page', region: 'uk' as const, target: '/page' };
    let probes = 0;
    const gate: Gate = new Gate({
      ...{ db: connectionIn(time, database.db), clock: systemClock, timing, serverClock: new DatabaseClock(timing) },
      ...{ listing: `paced_${++listings}`, runId: null, limits: listingLimits({}) },
      probe: async (_, permit) => {
        probes += 1;
        await gate.settle(permit, request, { kind: 'unavailable' });
      },
    });
    const asking = async () => {
      for (const kind of ['ok', ...Array<'unavailable'>(5).fill('unavailable')] as const)
        await gate.settle(await gate.pass(), request, { kind });
      const sinceMs = time.nowMs();
      await expect(gate.pass()).rejects.toMatchObject({ kind: 'waits', reason: 'failing', exitCode: 69 });
      expect(time.nowMs() - sinceMs).toBeLessThanOrEqual(60_000);
    };
    await time.passUntil(asking());
    // After 2, 6, 14 and 30 seconds.
    expect(probes).toBe(4);
  });
});

let listings = 0;

/** A connection whose statements take no virtual time. */
function connectionIn(time: VirtualTime, db: Database): Queryable {
  return {
    query: (text: string, values?: readonly unknown[]) => {
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
  const listing = `paced_${++listings}`;
  const sentMs: number[] = [];
  const connection = connectionIn(time, db);
  const process = async (offsetMs: number) => {
    const timing = time.seenBy({ offsetMs, drift: 0 });
    const limits = listingLimits(given);
    const gate: Gate = new Gate({
      ...{ db: connection, clock: systemClock, timing, serverClock: new DatabaseClock(timing) },
      ...{ listing, runId: null, limits, probe: async () => undefined },
    });
    const ask = async () => {
      while (sentMs.length < requests) {
        const permit = await gate.pass();
        if (sentMs.length >= requests) return;
        const isSent = gate.isInTime(permit);
        if (isSent) sentMs.push(time.nowMs());
        if (sentMs.length === restAfter) await time.sleep(60_000);
        await time.sleep(60);
        const request = { endpoint: 'uk-category-page', region: 'uk' as const, target: '/page' };
        await gate.settle(permit, request, { kind: isSent ? 'ok' : 'unsent' });
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
