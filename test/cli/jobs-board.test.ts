import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeOnEachQueue, useInstallation } from '../support/queue-backends.ts';
import { type Running, useHousehold } from './pricebook.ts';

const atThree = ['--now', '2026-03-01T03:00:00Z'];
const token = 'a-token-of-a-program-0123456789';

interface ShownQueue {
  readonly name: string;
  readonly displayName: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly readOnlyMode: boolean;
  readonly allowRetries: boolean;
  readonly isPaused: boolean;
}

/** Each look counts the jobs of every queue. */
const nowAndThen = { interval: 300 };

describeOnEachQueue('the jobs of the explorer', (installation) => {
  const { start } = useHousehold({ book: installation });
  let url: string;
  let running: Running[];

  // Opens a night that no worker crawls, so that its first jobs wait.
  beforeAll(async () => {
    const scheduler = start([...atThree, 'schedule', '--items', '60']);
    await scheduler.until(/"msg":"keeping the schedule"/);
    const serving = start([...atThree, 'serve'], { PORT: '0' });
    [, url] = (await serving.until(/Explorer: (http:\/\/127\.0\.0\.1:\d+)/)) as unknown as [string, string];
    running = [scheduler, serving];
  });
  afterAll(async () => {
    for (const { process } of running) process.kill('SIGTERM');
    for (const { ended } of running) expect((await ended).code).toBe(143);
  });

  const shown = async (): Promise<ShownQueue[]> => {
    const response = await fetch(`${url}/jobs/board/api/queues`);
    return response.ok ? ((await response.json()) as { queues: ShownQueue[] }).queues : [];
  };
  const queueOf = async (job: string) => (await shown()).find(({ displayName }) => displayName === job);

  test('the jobs page shows the queues with the same numbers as the metrics', async () => {
    await expect.poll(async () => (await queueOf('crawl-taxonomy'))?.counts['waiting'], nowAndThen).toBe(2);
    const queues = await shown();
    expect(queues.map(({ displayName }) => displayName)).toEqual(
      expect.arrayContaining(['crawl-taxonomy', 'crawl-uk', 'finish-crawl', 'watch-runs', 'send-alerts']),
    );
    expect(queues.every(({ readOnlyMode, allowRetries }) => readOnlyMode && !allowRetries)).toBe(true);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('\npricebook_queue_jobs{queue="crawl-taxonomy",state="waiting"} 2\n');
    expect(await (await fetch(`${url}/readyz`)).text()).toContain('queue: ok\n');
  });

  test('the pages of operations link to the jobs page, which loads nothing from other servers', async () => {
    expect(await (await fetch(`${url}/operations`)).text()).toContain('href="/jobs"');
    const own = await (await fetch(`${url}/jobs`)).text();
    expect(own).toMatch(/<h1>\d jobs? running, \d waiting<\/h1>/);
    expect(own).toMatch(
      /Reads the categories and plans the night<\/td><td class="number">0<\/td><td class="number">2</,
    );
    expect(own).toContain('href="/jobs/board"');
    const page = await fetch(`${url}/jobs/board`);
    const html = await page.text();
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(html).not.toMatch(/(?:href|src)="(?:https?:)?\/\//);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const files = [...html.matchAll(/(?:href|src)="(static\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect([file, (await fetch(`${url}/jobs/board/${file}`)).status]).toEqual([file, 200]);
  });

  test('jobs cannot be changed on the jobs page, because the ledger decides about work', async () => {
    await expect.poll(async () => (await queueOf('crawl-taxonomy'))?.counts['waiting'], nowAndThen).toBe(2);
    const { name } = (await queueOf('crawl-taxonomy'))!;
    for (const way of [`${name}/empty`, `${name}/pause`, `${name}/clean/waiting`, 'pause']) {
      const { status } = await fetch(`${url}/jobs/board/api/queues/${way}`, { method: 'PUT' });
      expect([way, [404, 405]]).toEqual([way, expect.arrayContaining([status])]);
    }
    const after = (await queueOf('crawl-taxonomy'))!;
    expect([after.counts['waiting'], after.isPaused]).toEqual([2, false]);
  });
});

describe('jobs behind a password', () => {
  const { start } = useHousehold({ book: useInstallation() });

  test('the jobs page needs a log-in or a token', async () => {
    const serving = start(['serve'], {
      PORT: '0',
      DASHBOARD_PASSWORD: 'correct horse battery',
      DASHBOARD_TOKENS: token,
    });
    const [, url] = await serving.until(/Explorer: (http:\/\/127\.0\.0\.1:\d+)/);
    const statusOf = async (path: string, init: RequestInit = {}) =>
      (await fetch(url + path, { redirect: 'manual', ...init })).status;
    const first = await fetch(`${url}/jobs`, { redirect: 'manual' });
    expect([first.status, first.headers.get('location')]).toEqual([303, '/login?to=%2Fjobs']);
    for (const path of ['/jobs/', '/jobs/board/queue/x', '/jobs/board/static/images/logo.svg']) {
      expect([path, await statusOf(path)]).toEqual([path, 303]);
    }
    expect(await statusOf('/jobs/board/api/queues')).toBe(401);
    expect(await statusOf('/jobs/board/api/queues/pause', { method: 'PUT' })).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    await expect.poll(() => statusOf('/jobs/board/api/queues', { headers }), nowAndThen).toBe(200);
    expect(await statusOf('/jobs/board/api/queues/pause', { method: 'PUT', headers })).toBe(405);
    serving.process.kill('SIGTERM');
    expect((await serving.ended).code).toBe(143);
  });
});
