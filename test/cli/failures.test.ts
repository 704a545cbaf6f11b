import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { registerWorker } from '../../src/crawl/workers.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useDatabase, withDatabase } from '../support/database.ts';
import { useCliHome } from './pricebook.ts';

const { run } = useCliHome();
const database = useDatabase();
const program = fileURLToPath(new URL('../../src/cli/pricebook.js', import.meta.url));
const key = 'a-key-nobody-may-read';

let simulator: Simulator;
let env: Record<string, string>;
beforeAll(async () => {
  simulator = await createSimulator({ items: 100, superDepartments: 3, key, date: '2026-03-01' });
});
afterAll(() => simulator.close());
beforeEach(() => {
  simulator.change({ faults: [], monthlyQuota: 0, quotaUsed: 0 });
  env = { DATABASE_URL: database.url, GROCERY_BASE_URL: simulator.url, GROCERY_KEY: key };
});

const crawl = (...more: string[]) => ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0', ...more];
/** Output except for progress lines. */
const complaint = (stderr: string) => stderr.split('\n').filter((line) => !/^(uk|ie) {2}/.test(line) && line !== '');

test('a wrong key names the listing and the variable, not the key', async () => {
  const { code, stderr, stdout } = await run(crawl(), { ...env, GROCERY_KEY: 'wrong-but-secret' });
  expect(complaint(stderr)).toEqual([expect.stringMatching(/^pricebook: .*grocery listing.*GROCERY_KEY/)]);
  expect(stderr + stdout).not.toContain('wrong-but-secret');
  expect(code).toBe(78);
});

test('the same command with the right key continues the run', async () => {
  const { code, stdout, stderr } = await run(crawl(), env);
  expect(stdout).toMatch(/^uk 2026-03-01: complete/);
  expect(code).toBe(0);
  expect(stderr).not.toContain(key);
});

test('an incomplete night is partial, with exit code 3 and the reasons', async () => {
  simulator.change({ faults: [{ kind: 'wrongTotal', region: 'uk', delta: 30 }] });
  const { code, stdout, stderr } = await run(crawl('--again'), env);
  expect(stdout).toMatch(/^uk 2026-03-01: partial/);
  expect(complaint(stderr).length).toBeGreaterThan(0);
  expect(complaint(stderr).length, stderr).toBeLessThanOrEqual(6);
  expect(code).toBe(3);
});

test('a used-up quota stops the crawl with 75 and names its end', async () => {
  const { code, stderr } = await run(crawl(), { ...env, GROCERY_MONTHLY_QUOTA: '1' });
  expect(complaint(stderr)).toEqual([expect.stringMatching(/^pricebook: .*quota.*2026-04-01T00:00:00/)]);
  expect(code).toBe(75);
});

test('an unavailable upstream exits with 69', async () => {
  await withDatabase(async ({ url }) => {
    const { code, stderr } = await run(crawl(), { ...env, DATABASE_URL: url, GROCERY_BASE_URL: 'http://127.0.0.1:1' });
    expect(complaint(stderr)).toEqual([expect.stringMatching(/^pricebook: .*unavailable/)]);
    expect(code).toBe(69);
  });
});

test('an unavailable database exits with 69 and one line', async () => {
  const { code, stderr } = await run(['status'], { DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/shop' });
  expect(stderr).toMatch(/^pricebook: PostgreSQL is unreachable .*DATABASE_URL\.\n$/);
  expect(stderr).not.toContain('hunter2');
  expect(code).toBe(69);
});

test('an unusable PRICEBOOK_HOME is one line and exit code 78', async () => {
  const { code, stderr } = await run(['status'], { PRICEBOOK_HOME: fileURLToPath(import.meta.url) });
  expect({ code, stderr }).toEqual({
    code: 78,
    stderr: expect.stringMatching(
      /^pricebook: The data folder \S+ cannot be used: .*a file.*Set PRICEBOOK_HOME to .*\n$/,
    ),
  });
});

test('a schema of another version exits with 78 and is not changed', async () => {
  await withDatabase(async ({ url, db }) => {
    await db.query(`update ops.schema_state set baseline_hash = 'of-another-program'`);
    for (const args of [['status'], ['migrate'], crawl()]) {
      const { code, stderr } = await run(args, { ...env, DATABASE_URL: url });
      expect(stderr).toMatch(
        /^pricebook: .* schema of another version of Pricebook \(of-anoth, .*Nothing was changed\.\n$/,
      );
      expect(code).toBe(78);
    }
  });
});

test('doctor finds no problem here and sends no request without --ask', async () => {
  simulator.resetLog();
  const well = await run(['doctor', '--json'], env);
  expect(well.code).toBe(0);
  const { version, healthy, findings } = JSON.parse(well.stdout) as {
    version: number;
    healthy: boolean;
    findings: { level: string; about: string }[];
  };
  expect({ version, healthy }).toEqual({ version: 1, healthy: true });
  expect(findings.map(({ about }) => about)).toEqual(
    expect.arrayContaining(['configuration', 'disk', 'archive', 'database', 'schema', 'clock', 'queues']),
  );
  expect(simulator.log().total).toBe(0);
});

test('doctor names the proxy variables that are set, because requests to a gateway go directly', async () => {
  const proxies = { https_proxy: 'http://me:secret@127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1' };
  const proxyLines = (text: string) => text.match(/^.* proxy +.*$/gm) ?? [];
  const { code, stdout } = await run(['doctor'], { ...env, ...proxies });
  expect(code).toBe(0);
  expect(proxyLines(stdout)).toEqual([
    expect.stringMatching(/^warning +proxy +HTTP_PROXY is set and not used/i),
    expect.stringMatching(/^warning +proxy +HTTPS_PROXY is set and not used/i),
  ]);
  expect(stdout).not.toContain('secret');
  expect(proxyLines((await run(['doctor'], { ...env, NO_PROXY: '*' })).stdout)).toEqual([]);
});

test('doctor finds an unavailable server and invalid variables', async () => {
  const away = await run(['doctor'], { ...env, DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' });
  expect(away.stdout).toMatch(/^ERROR +database +PostgreSQL is unreachable/m);
  expect(away.code).toBe(69);

  const wrong = await run(['doctor'], { PORT: 'many', ARCHIVE: 'perhaps' });
  expect(wrong.stdout.match(/^ERROR +configuration/gm)).toHaveLength(2);
  expect(wrong.code).toBe(78);
});

test('doctor --ask exits with 75 if the quota is used up, and with 69 if the upstream is unavailable', async () => {
  const codeOf = async (more: Record<string, string>) =>
    (await run(['--now', '2026-03-01', 'doctor', '--ask'], { ...env, ...more })).code;
  expect(await codeOf({ GROCERY_MONTHLY_QUOTA: '1' })).toBe(75);
  expect(await codeOf({ GROCERY_BASE_URL: 'http://127.0.0.1:1' })).toBe(69);
});

test.each(['--help', 'config', 'status'])(
  'with a full disk behind stdout %s reports the error in one line and fails',
  (verb) => {
    const home = mkdtempSync(join(tmpdir(), 'pricebook-full-'));
    try {
      const { status, stderr } = spawnSync(
        'sh',
        ['-c', '"$0" "$1" "$2" > /dev/full', process.execPath, program, verb],
        {
          cwd: home,
          encoding: 'utf8',
          env: { PATH: process.env['PATH'] ?? '', PRICEBOOK_HOME: home, DATABASE_URL: database.url },
        },
      );
      const said = stderr.split('\n').filter((line) => line.startsWith('pricebook:'));
      expect([status, said]).toEqual([1, ['pricebook: cannot write to stdout: no space left on device']]);
      expect(stderr).not.toContain('bug');
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
);

test('reset deletes nothing while a worker runs', async () => {
  await withDatabase(async ({ url, db }) => {
    const worker = await registerWorker(db, systemClock, { pid: process.pid, command: 'work', key: 'key' });
    const { code, stderr } = await run(['reset', '--yes', '--database'], { DATABASE_URL: url });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^pricebook: Workers are running, .* Nothing was deleted/),
    ]);
    await worker.close();
    expect((await run(['reset', '--yes', '--database'], { DATABASE_URL: url })).code).toBe(0);
  });
});

test("reset --yes --database drops only the program's own schemas on a server", async () => {
  await withDatabase(async ({ url, db }) => {
    await db.query('create table public.of_others (n int)');
    const { code, stderr } = await run(['reset', '--yes', '--database'], { DATABASE_URL: url });
    expect(stderr).toMatch(/^Deleted: /m);
    expect(code).toBe(0);
    const { rows } = await db.query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(['public']);
    await db.query('select n from public.of_others');
  });
});
