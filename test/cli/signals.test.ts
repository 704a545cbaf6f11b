import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useCliHome } from './pricebook.ts';

const { run, start, home } = useCliHome();

let simulator: Simulator;
let env: Record<string, string>;
beforeAll(async () => {
  // Slow enough that the crawl is running when it is interrupted.
  simulator = await createSimulator({ items: 240, superDepartments: 6, date: '2026-03-01' });
  env = { GROCERY_BASE_URL: simulator.url, GROCERY_KEY: 'any', GROCERY_REQUESTS_PER_SECOND: '10' };
});
afterAll(() => simulator.close());

const crawl = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'];

test('SIGTERM ends a crawl with 143 and no leftover processes, and the next crawl continues', async () => {
  const first = start(crawl, env);
  await first.until(/reading the pages/);
  await expect.poll(() => pagesAsked().length, { timeout: 60_000 }).toBeGreaterThan(5);
  first.process.kill('SIGTERM');
  const { code, stdout, stderr } = await first.ended;
  expect({ code, stdout }).toEqual({ code: 143, stdout: '' });
  expect(stderr).toMatch(/^pricebook: SIGTERM received/m);
  expect(stderr).not.toMatch(/"level":(50|60)|^error: /m);
  await expect.poll(() => processesIn(home)).toEqual([]);

  const status = await run(['status', '--json'], env);
  const [uk] = JSON.parse(status.stdout).regions;
  expect(uk.open).toMatchObject({ snapshot_date: '2026-03-01', status: 'open', paused_for: null });

  const before = pagesAsked();
  expect(uk.open.progress.pages_done).toBeGreaterThan(0);
  simulator.resetLog();
  const second = await run(crawl, { ...env, GROCERY_REQUESTS_PER_SECOND: '0' });
  expect(second.stdout).toMatch(/^uk 2026-03-01: complete/);
  expect(second.code).toBe(0);
  // Requests in flight at the signal may have been sent without being read.
  const again = pagesAsked().filter((page) => before.includes(page));
  expect(again.length).toBeLessThanOrEqual(before.length - uk.open.progress.pages_done);
});

function pagesAsked(): string[] {
  const { requests = [] } = simulator.log({ full: true });
  return requests.map(({ path }) => path).filter((path) => path.includes('pageNo='));
}

test('SIGTERM to npm also ends the command that it runs', async () => {
  const npm = spawn('npm', ['run', '--silent', 'pricebook', '--', '--now', '2026-03-01', 'work'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env['PATH'] ?? '', HOME: dirname(home), PRICEBOOK_HOME: home, ...env },
  });
  let said = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 60_000 }).toContain('"msg":"working"');
  expect(processesIn(home)).not.toEqual([]);
  npm.kill('SIGTERM');
  await expect.poll(() => processesIn(home), { timeout: 60_000 }).toEqual([]);
  expect(said).toContain('SIGTERM received');
});

test('reset --yes deletes the embedded database and the archive', async () => {
  const { code, stderr } = await run(['reset', '--yes'], env);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Deleted: the embedded database/) });
  expect(readdirSync(home)).toEqual([]);
});

function processesIn(folder: string): string[] {
  const { stdout } = spawnSync('ps', ['-ww', '-eo', 'args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(folder));
}
