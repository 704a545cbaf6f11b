import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/app/config/secret.ts';
import { createInstruments } from '../../src/base/metrics/instruments.ts';
import { createMonitoring } from '../../src/web/monitoring/monitoring.ts';
import { openMonitoringServer } from '../../src/web/monitoring/server.ts';
import { metricsIn, values } from '../metrics/every-metric.ts';

const token = 'a-token-of-prometheus-0123456789';

async function withServer<Result>(
  options: { host?: string; tokens?: Secret | null; reason?: string | null },
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const { host = '127.0.0.1', tokens = null, reason = null } = options;
  const monitoring = createMonitoring({
    checks: () => [{ name: 'database', isNeeded: true, look: async () => reason, unreachable: '' }],
    instruments: createInstruments({ role: 'work', version: '1.2.3' }),
    readGauges: async () => values,
  });
  const server = await openMonitoringServer({ host, port: 0, tokens, monitoring });
  try {
    return await use(server.url.replace('0.0.0.0', '127.0.0.1'));
  } finally {
    await server.close();
  }
}

const statusOf = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status;

describe('the server of a process without an explorer', () => {
  it('this machine sees everything without a token', () =>
    withServer({}, async (url) => {
      expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok\n');
      expect(await (await fetch(`${url}/readyz`)).text()).toBe('database: ok\n');
      const metrics = await fetch(`${url}/metrics`);
      expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(metricsIn(await metrics.text()).map(({ name }) => name)).toContain('pricebook_workers_alive');
      expect(await statusOf(`${url}/`)).toBe(404);
    }));

  it('other machines see metrics only with a token, and health without one', () =>
    withServer({ host: '0.0.0.0', tokens: new Secret(token) }, async (url) => {
      expect([await statusOf(`${url}/healthz`), await statusOf(`${url}/readyz`)]).toEqual([200, 200]);
      for (const path of ['/metrics', '/metrics?x', '//metrics', '/healthz/../metrics', '/absent']) {
        expect([path, await statusOf(url + path)]).toEqual([path, 401]);
      }
      expect(await statusOf(`${url}/metrics`, { authorization: `Bearer ${token}x` })).toBe(401);
      expect(await statusOf(`${url}/metrics`, { authorization: `Bearer ${token}` })).toBe(200);
    }));

  it('other machines see no metrics if no token is set', () =>
    withServer({ host: '0.0.0.0' }, async (url) => {
      expect(await statusOf(`${url}/metrics`, { authorization: 'Bearer ' })).toBe(401);
      expect(await statusOf(`${url}/metrics`, { authorization: 'Bearer undefined' })).toBe(401);
    }));

  it('the server answers only to its own host name, so that pages of others cannot use it', () =>
    withServer({}, async (url) => {
      const status = await new Promise((resolve, reject) => {
        request(`${url}/metrics`, { headers: { host: 'evil.example' } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
      expect(status).toBe(421);
    }));
});
