import { describe, expect, it } from 'vitest';
import { simulatorHosts } from '../../src/simulator/index.ts';
import { ask, withSimulator } from './asking.ts';

const health = '/health';
const tooFast = 'You have exceeded the rate limit per second for your plan, BASIC, by the API provider';

describe('the gateway', () => {
  it('the gateway accepts the headers of any marketplace', async () => {
    await withSimulator({ key: 'right' }, async (simulator) => {
      for (const prefix of ['X-Gateway', 'x-gateway', 'X-RapidAPI', 'X-Some-Other']) {
        const { status, headers } = await ask(simulator, health, { prefix, key: 'right' });
        expect(status).toBe(200);
        expect(headers.get(`${prefix}-version`)).toBe('1.2.8');
        expect(headers.has(`${prefix}-proxy-response`)).toBe(false);
      }
    });
  });

  it('the gateway answers differently to a missing, a wrong and an unsubscribed key', async () => {
    await withSimulator({ key: 'right' }, async (simulator) => {
      const missing = await ask(simulator, health, { key: null });
      expect(missing.status).toBe(401);
      expect(missing.body.message).toMatch(/^Invalid API key\./);
      expect(missing.headers.get('x-gateway-proxy-response')).toBe('true');
      for (const key of ['wrong', 'unsubscribed']) {
        const refused = await ask(simulator, health, { key });
        expect(refused.status).toBe(403);
        expect(refused.body).toEqual({ message: 'You are not subscribed to this API.' });
      }
    });
    await withSimulator({}, async (simulator) => {
      expect((await ask(simulator, health, { key: 'anything' })).status).toBe(200);
      expect((await ask(simulator, health, { key: 'unsubscribed' })).status).toBe(403);
    });
  });

  it('the gateway refuses other hosts, paths and methods', async () => {
    await withSimulator({}, async (simulator) => {
      for (const host of [null, 'elsewhere.simulator']) {
        const { status, body } = await ask(simulator, health, { host });
        expect([status, body]).toEqual([404, { message: "API doesn't exists" }]);
      }
      const unknown = await ask(simulator, '/nowhere?x=1');
      expect([unknown.status, unknown.body]).toEqual([404, { message: "Endpoint '/nowhere' does not exist" }]);
      expect((await ask(simulator, '/store-list')).status).toBe(404);
      const headers = { 'X-Gateway-Key': 'k', 'X-Gateway-Host': simulatorHosts.grocery };
      expect((await fetch(simulator.url + health, { method: 'POST', headers })).status).toBe(404);
    });
  });

  it('the gateway answers 429 above the limit per second and listing, without Retry-After', async () => {
    let time = 0;
    const options = { requestsPerSecond: 5, burst: 1, monthlyQuota: 1000, elapsedMs: () => time };
    await withSimulator(options, async (simulator) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(simulator, health)));
      const refused = answers.filter(({ status }) => status === 429);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
      expect(refused).toHaveLength(14);
      expect(refused[0]!.body).toEqual({ message: tooFast });
      expect(refused[0]!.headers.has('retry-after')).toBe(false);
      expect(Number(refused[0]!.headers.get('x-ratelimit-requests-remaining'))).toBeGreaterThan(0);
      expect((await ask(simulator, health, { host: simulatorHosts.property1 })).status).toBe(200);
      time = 999;
      expect((await ask(simulator, health)).status).toBe(429);
      time = 1_000;
      expect((await ask(simulator, health)).status).toBe(200);
    });
  });

  it('the gateway counts every window separately, wherever it begins', async () => {
    let time = 0;
    const limits = { requestsPerMinute: 3, requestsPerHour: 5, requestsPerDay: 6 };
    await withSimulator({ ...limits, elapsedMs: () => time }, async (simulator) => {
      const statusAt = async (atMs: number) => {
        time = atMs;
        const { status, body } = await ask(simulator, health);
        return status === 429 ? (body as { message: string }).message.replace(/.* per (\w+) .*/, '$1') : status;
      };
      const seen = [];
      for (const at of [0, 30_000, 59_000, 59_999, 60_000, 90_000, 130_000, 3_600_000, 3_700_000, 86_400_000])
        seen.push(await statusAt(at));
      expect(seen).toEqual([200, 200, 200, 'minute', 200, 200, 'hour', 200, 'day', 200]);
    });
  });

  it('the quota resets on the subscription’s day, or on the last day of a shorter month', async () => {
    let now = new Date('2026-02-27T23:59:00Z');
    const options = { monthlyQuota: 1, subscribedOn: '2026-01-31', now: () => now, date: '2026-02-01' };
    await withSimulator(options, async (simulator) => {
      const statusAt = async (at: string) => {
        now = new Date(at);
        return (await ask(simulator, health)).status;
      };
      expect(await statusAt('2026-02-27T23:59:00Z')).toBe(200);
      expect(await statusAt('2026-02-27T23:59:59Z')).toBe(429);
      expect(await statusAt('2026-02-28T00:00:00Z')).toBe(200);
      expect(await statusAt('2026-03-30T23:00:00Z')).toBe(429);
      expect(await statusAt('2026-03-31T00:00:00Z')).toBe(200);
    });
  });

  it('the gateway counts a quota down in its headers and refuses requests beyond it until it resets', async () => {
    let now = new Date('2026-03-01T00:00:00Z');
    await withSimulator({ monthlyQuota: 3, now: () => now }, async (simulator) => {
      const headersOf = ({ headers }: Awaited<ReturnType<typeof ask>>) =>
        ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-requests-${name}`));
      expect(headersOf(await ask(simulator, health))).toEqual(['3', '2', '2592000']);
      now = new Date('2026-03-01T00:01:40Z');
      expect(headersOf(await ask(simulator, health))).toEqual(['3', '1', '2591900']);
      expect(headersOf(await ask(simulator, health))).toEqual(['3', '0', '2591900']);

      const refused = await ask(simulator, health);
      expect(refused.status).toBe(429);
      expect(refused.body.message).toMatch(
        /^You have exceeded the MONTHLY quota for Requests on your current plan, BASIC\./,
      );
      expect(headersOf(refused)).toEqual(['3', '0', '2591900']);
      expect((await ask(simulator, health, { host: simulatorHosts.property2 })).status).toBe(200);

      now = new Date('2026-03-31T00:00:00Z');
      expect(headersOf(await ask(simulator, health))).toEqual(['3', '2', '2592000']);
      // Other programs use it, too.
      simulator.change({ quotaUsed: 3 });
      expect((await ask(simulator, health)).status).toBe(429);
    });
  });

  it.each([
    ['all', 5],
    ['lt500', 3],
    ['2xx', 2],
  ] as const)('the gateway counts %s answers against the quota', async (count, used) => {
    await withSimulator({ count, monthlyQuota: 100 }, async (simulator) => {
      simulator.change({
        faults: [
          { kind: 'vendor500', nth: 2 },
          { kind: 'gateway502', nth: 3 },
          { kind: 'vendor400', nth: 4 },
        ],
      });
      for (let request = 0; request < 5; request += 1) await ask(simulator, health);
      expect(simulator.state().quotaUsed).toEqual({ grocery: used });
      expect(simulator.log().metered).toBe(used);
      expect(simulator.log().total).toBe(5);
    });
  });
});
