import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnEachQueue } from '../support/queue-backends.ts';
import { type Running, useCliHome } from './pricebook.ts';

const atThree = ['--now', '2026-03-01T03:00:00Z'];

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
  const { start } = useCliHome({ book: installation });
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
    expect(await (await fetch(`${url}/operations`)).text()).toContain(
      '<dt>crawl-taxonomy</dt><dd>0 running, 2 waiting</dd>',
    );
    const page = await fetch(`${url}/jobs/board`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
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
