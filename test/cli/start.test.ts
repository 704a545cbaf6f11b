import { expect, test } from 'vitest';
import { useCliHome } from './pricebook.ts';

const { run, start } = useCliHome();

test('start crawls both regions, prints hints, serves the explorer and exits with 130', async () => {
  // So many that each night has changes.
  const everything = start(['start', '--nights', '2', '--items', '800', '--max-details', '5'], { PORT: '0' });
  const [, url] = await everything.until(/Explorer: (http:\/\/127\.0\.0\.1:\d+)/);
  expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok\n');
  await everything.until(/Ctrl-C ends it/);
  const { stdout } = everything.said();
  // In the order in which they were done.
  expect(stdout.trim().split('\n').sort()).toEqual([
    expect.stringMatching(/^ie \S+: complete, /),
    expect.stringMatching(/^uk \S+: complete, /),
  ]);

  const page = await fetch(`${url}/`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  const html = await page.text();
  expect(html).toContain('United Kingdom and Ireland complete');

  const status = (await (await fetch(`${url}/api/status`)).json()) as Record<string, unknown>;
  expect(status).toMatchObject({
    version: 2,
    workers_alive: 1,
    regions: [{ last_night: { certificate: 'complete' } }, { last_night: { certificate: 'complete' } }],
  });
  expect(status['runs']).toHaveLength(6);

  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^pricebook_products_listed\{region="uk"\} \d{3}$/m);
  expect(metrics).toMatch(/^pricebook_queue_jobs\{queue="watch-runs",state="delayed"\} \d+$/m);
  expect(await (await fetch(`${url}/readyz`)).text()).toBe('process: ok\ndatabase: ok\nqueue: ok\narchive: ok\n');
  expect((await fetch(`${url}/jobs/board/api/queues`)).status).toBe(200);

  // Each hint names a command that shows something.
  for (const [, line = ''] of everything.said().stderr.matchAll(/pricebook -- ((?:asof|changes|status).*)$/gm)) {
    const { code, stdout } = await run(line.split(' '));
    expect({ line, code }).toEqual({ line, code: 0 });
    expect(stdout.trim().split('\n').length).toBeGreaterThan(1);
  }

  const meanwhile = await run(['asof', '--region', 'ie', '--date', '2999-01-01', '--limit', '1', '--csv']);
  expect(meanwhile.stdout.split('\r\n')).toHaveLength(3);
  const where = await run(['config', '--database-url']);
  expect(where.stdout).toMatch(/^postgres:\/\/pricebook:\S+@127\.0\.0\.1:\d+\/pricebook\S*\n$/);

  const refused = await run(['reset', '--yes']);
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 69,
    stderr: expect.stringMatching(/another command uses it/),
  });

  everything.process.kill('SIGINT');
  const ended = await everything.ended;
  expect(ended.code).toBe(130);
  // On a busy machine a lock may be renewed late, with a warning.
  expect(ended.stderr).not.toMatch(/"level":(50|60)/);
});
