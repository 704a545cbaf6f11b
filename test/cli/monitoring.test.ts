import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { metricsIn } from '../metrics/every-metric.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { type Running, useCliHome } from './pricebook.ts';

const atThree = ['--now', '2026-03-01T03:00:00Z'];
const watched = { METRICS_PORT: '0' };

/** Each request makes a process read the whole state. */
const nowAndThen = { interval: 300 };

/** Matches the address at which a command serves its metrics. */
async function urlOf(command: Running): Promise<string> {
  const [, url] = await command.until(/"url":"(http:[^"]+)","msg":"serving health, readiness and metrics"/);
  return url!;
}

async function answerOf(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
}

const metricsOf = async (url: string) => (await answerOf(`${url}/metrics`)).text;

/** Sum of the samples of a metric whose labels match; null if there is none. */
function sampleOf(text: string, name: string, labels = ''): number | null {
  const samples = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*${labels}[^}]*\\})? (\\S+)$`, 'gm'))];
  return samples.length === 0 ? null : samples.reduce((sum, [, value]) => sum + Number(value), 0);
}

/** test/cli/jobs-board.test.ts compares the values of each queue. */
describe('monitored processes', () => {
  const installation = useInstallation();
  const { start } = useCliHome({ book: installation });
  let simulator: Simulator;
  let watchedHere: Record<string, string>;
  beforeAll(async () => {
    // Slow enough that one worker is not done before the other has begun.
    const faults = [{ kind: 'slow', ms: 20 }] as const;
    simulator = await createSimulator({ items: 60, superDepartments: 4, date: '2026-03-01', faults });
    watchedHere = { ...watched, GROCERY_BASE_URL: simulator.url, GROCERY_REQUESTS_PER_SECOND: '0' };
  });
  afterAll(() => simulator.close());

  test('the night that schedule opens is crawled once, and all processes report the same state', async () => {
    const workers = [1, 2].map(() => start([...atThree, 'work'], watchedHere));
    const urls = await Promise.all(workers.map(urlOf));
    const scheduler = start([...atThree, 'schedule'], watchedHere);
    const watching = await urlOf(scheduler);
    const published = () =>
      rowsOf(installation.db, `select region, origin from ops.run where status = 'published' order by region`);
    await expect
      .poll(published, { timeout: 200_000, interval: 500 })
      .toEqual(['ie', 'uk'].map((region) => ({ region, origin: 'schedule' })));

    // What became of a request is written to the ledger a second later.
    const sent = async () => {
      const texts = await Promise.all(urls.map(metricsOf));
      const [ledger] = await rowsOf(installation.db, 'select sum(ok)::int as ok from ops.spend');
      // One of them may have claimed all units of so small a night.
      const ofProcesses = texts.map((text) => sampleOf(text, 'pricebook_requests_total', 'outcome="ok"') ?? 0);
      return ofProcesses[0]! + ofProcesses[1]! - Number(ledger!['ok']);
    };
    await expect.poll(sent, nowAndThen).toBe(0);
    for (const url of [...urls, watching]) {
      const text = await metricsOf(url);
      expect(sampleOf(text, 'pricebook_workers_alive')).toBe(2);
      expect(sampleOf(text, 'pricebook_snapshot_certified', 'region="uk"')).toBe(1);
      expect(sampleOf(text, 'pricebook_certified_night_age_seconds', 'region="ie"')).toBeGreaterThanOrEqual(0);
      expect(sampleOf(text, 'pricebook_check_ok', 'check="queue"')).toBe(1);
    }
    expect((await answerOf(`${urls[0]}/readyz`)).text).toBe('process: ok\ndatabase: ok\nqueue: ok\narchive: ok\n');
    expect((await answerOf(`${watching}/readyz`)).text).toBe('process: ok\ndatabase: ok\nqueue: ok\n');

    // After one process is killed, the other continues and all report one process less.
    const [killed, left] = workers as [Running, Running];
    killed.process.kill('SIGKILL');
    await killed.ended;
    await expect.poll(async () => sampleOf(await metricsOf(watching), 'pricebook_workers_alive'), nowAndThen).toBe(1);
    expect((await answerOf(`${urls[1]}/readyz`)).status).toBe(200);
    for (const { process } of [left, scheduler]) process.kill('SIGTERM');
    for (const { ended } of [left, scheduler]) expect((await ended).code).toBe(143);
  });
});

describe('a worker whose database is unavailable', () => {
  const installation = useInstallation();
  const { start } = useCliHome({ book: installation });
  let link: TcpProxy;
  beforeAll(async () => {
    const { hostname, port } = new URL(installation.databaseUrl);
    link = await createTcpProxy({ host: hostname, port: Number(port) });
  });
  afterAll(() => link.close());

  test('a worker without its database stays alive, reports why it is not ready, and becomes ready again', async () => {
    const through = new URL(installation.databaseUrl);
    through.hostname = '127.0.0.1';
    through.port = String(link.port);
    const worker = start([...atThree, 'work', '--items', '60'], { ...watched, DATABASE_URL: through.href });
    const url = await urlOf(worker);
    const readiness = async () => (await answerOf(`${url}/readyz`)).status;
    await expect.poll(readiness, nowAndThen).toBe(200);

    for (const away of ['refuse', 'hole'] as const) {
      link.set(away);
      link.cut();
      await expect.poll(readiness, nowAndThen).toBe(503);
      const { text } = await answerOf(`${url}/readyz`);
      expect(text).toContain('database: PostgreSQL does not answer; see DATABASE_URL\n');
      expect(text).not.toContain(String(link.port));
      expect(await answerOf(`${url}/healthz`)).toEqual({ status: 200, text: 'ok\n' });
      const metrics = await metricsOf(url);
      expect(sampleOf(metrics, 'pricebook_check_ok', 'check="database"')).toBe(0);
      expect(metricsIn(metrics).map(({ name }) => name)).toContain('pricebook_requests_total');
      expect(sampleOf(metrics, 'pricebook_workers_alive')).toBeNull();

      link.set('pass');
      link.cut();
      await expect.poll(readiness, nowAndThen).toBe(200);
      await expect.poll(async () => sampleOf(await metricsOf(url), 'pricebook_workers_alive'), nowAndThen).toBe(1);
    }
    worker.process.kill('SIGTERM');
    expect((await worker.ended).code).toBe(143);
  });
});
