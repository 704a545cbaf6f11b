import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { metricsIn } from '../metrics/every-metric.ts';
import { type TestInstallation, useInstallation } from '../support/queue-backends.ts';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { type Running, useHousehold } from './pricebook.ts';

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

/** Value of a metric without labels; null if it is absent. */
function sampleOf(text: string, sample: string): number | null {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? null : Number(line.slice(sample.length + 1));
}

/** Requests by endpoint and outcome, summed over what processes say of themselves. */
function requestsIn(texts: readonly string[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const text of texts) {
    const samples = text.matchAll(/^pricebook_requests_total\{.*endpoint="([^"]+)",outcome="([^"]+)"\} (\d+)$/gm);
    for (const [, endpoint, outcome, count] of samples) {
      const key = `${endpoint} ${outcome}`;
      sums[key] = (sums[key] ?? 0) + Number(count);
    }
  }
  return sums;
}

/** The same, as the ledger has it. */
async function requestsInLedger({ db }: TestInstallation): Promise<Record<string, number>> {
  const rows = await rowsOf<{ key: string; count: number }>(
    db,
    `select endpoint || ' ' || outcome as key, sum(count)::int as count
     from ops.spend,
       lateral (values ('ok', ok), ('failed', failed), ('refused', refused), ('rate_limited', rate_limited),
       ('quota', quota), ('denied', denied), ('aborted', aborted)) as o (outcome, count)
     group by 1 having sum(count) > 0`,
  );
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
}

async function isPublished({ db }: TestInstallation): Promise<boolean> {
  const [row] = await rowsOf<{ published: number }>(
    db,
    `select count(*)::int as published from ops.run where status = 'published'`,
  );
  return row!.published === 2;
}

/** test/cli/jobs-board.test.ts compares the values of each queue. */
describe('monitored processes', () => {
  const installation = useInstallation();
  const { start } = useHousehold({ book: installation });
  let simulator: Simulator;
  let watchedHere: Record<string, string>;
  beforeAll(async () => {
    // Slow enough that one worker is not done before the other has begun.
    const faults = [{ kind: 'slow', ms: 20 }] as const;
    simulator = await createSimulator({ items: 60, superDepartments: 4, date: '2026-03-01', faults });
    watchedHere = { ...watched, GROCERY_BASE_URL: simulator.url, GROCERY_REQUESTS_PER_SECOND: '0' };
  });
  afterAll(() => simulator.close());

  test("metrics of all processes add up to the ledger's counts, and all processes report the same state", async () => {
    const workers = [1, 2].map(() => start([...atThree, 'work'], watchedHere));
    const urls = await Promise.all(workers.map(urlOf));
    const scheduler = start([...atThree, 'schedule'], watchedHere);
    const watching = await urlOf(scheduler);
    await expect.poll(() => isPublished(installation), { timeout: 200_000, interval: 500 }).toBe(true);
    const idle = async () => {
      const text = await metricsOf(watching);
      return [...text.matchAll(/^pricebook_queue_jobs\{queue="(?:crawl|finish)[^"]*",state="active"\} (\d+)$/gm)].map(
        ([, jobs]) => Number(jobs),
      );
    };
    await expect.poll(async () => Math.max(...(await idle())), nowAndThen).toBe(0);

    // What became of a request is written to the ledger a tenth of a second later.
    await expect
      .poll(async () => requestsIn(await Promise.all(urls.map(metricsOf))), nowAndThen)
      .toEqual(await requestsInLedger(installation));
    const texts = await Promise.all(urls.map(metricsOf));
    expect(requestsIn([await metricsOf(watching)])).toEqual({});
    // Both took part.
    for (const text of texts) expect(Object.values(requestsIn([text])).length).toBeGreaterThan(0);
    const publications = texts.map((text) =>
      [...text.matchAll(/^pricebook_publication_duration_seconds_count\{[^}]*\} (\d+)$/gm)].map(([, n]) => Number(n)),
    );
    expect(publications.flat().reduce((sum, count) => sum + count, 0)).toBe(2);

    for (const text of [...texts, await metricsOf(watching)]) {
      expect(sampleOf(text, 'pricebook_workers_alive')).toBe(2);
      expect(sampleOf(text, 'pricebook_snapshot_certified{region="uk"}')).toBe(1);
      expect(sampleOf(text, 'pricebook_certified_night_age_seconds{region="ie"}')).toBeGreaterThanOrEqual(0);
      expect(sampleOf(text, 'pricebook_queue_jobs{queue="crawl-uk",state="waiting"}')).toBe(0);
      expect(sampleOf(text, 'pricebook_check_ok{check="queue"}')).toBe(1);
    }
    expect((await answerOf(`${urls[0]}/readyz`)).text).toBe('process: ok\ndatabase: ok\nqueue: ok\narchive: ok\n');
    expect((await answerOf(`${watching}/readyz`)).text).toBe('process: ok\ndatabase: ok\nqueue: ok\n');

    // After one process is killed, the other continues and all report one process less.
    const [killed, left] = workers as [Running, Running];
    killed.process.kill('SIGKILL');
    await killed.ended;
    await expect(fetch(`${urls[0]}/healthz`)).rejects.toThrow();
    await expect.poll(async () => sampleOf(await metricsOf(watching), 'pricebook_workers_alive'), nowAndThen).toBe(1);
    expect((await answerOf(`${urls[1]}/readyz`)).status).toBe(200);

    for (const { process } of [left, scheduler]) process.kill('SIGTERM');
    for (const { ended } of [left, scheduler]) expect((await ended).code).toBe(143);
  });
});

describe('a worker whose database is unavailable', () => {
  const installation = useInstallation();
  const { start } = useHousehold({ book: installation });
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
      expect(sampleOf(metrics, 'pricebook_check_ok{check="database"}')).toBe(0);
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

describe('a metrics port in use', () => {
  const { run } = useHousehold({ book: useInstallation() });

  test('a metrics port in use ends the command in one line that names the variable', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run([...atThree, 'schedule', '--items', '60'], { METRICS_PORT: String(port) });
    expect(code).toBe(78);
    expect(stderr).toMatch(
      new RegExp(`127\\.0\\.0\\.1:${port}: another program uses it\\. Correct HOST or METRICS_PORT`),
    );
    other.close();
  });
});
