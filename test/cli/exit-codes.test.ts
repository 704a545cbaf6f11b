import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { useHousehold } from './pricebook.ts';

const book = useInstallation();
const { run } = useHousehold({ book });
const program = fileURLToPath(new URL('../../src/cli/pricebook.js', import.meta.url));
let simulator: Simulator;
let env: Record<string, string>;
beforeAll(async () => {
  simulator = await createSimulator({ items: 60, superDepartments: 2, date: '2026-03-31', key: sentinelKey });
  env = { GROCERY_BASE_URL: simulator.url };
});

const at = ['--now', '2026-03-31T02:00:00Z'];
const codeOf = async (args: readonly string[], more: Record<string, string> = {}) =>
  (await run([...at, ...args], { ...env, ...more })).code;

test('doctor --ask exits with 75 if the quota is used up', async () => {
  expect(await codeOf(['search', 'milk'])).toBe(0);
  expect(await codeOf(['doctor', '--ask'], { GROCERY_MONTHLY_QUOTA: '1', GROCERY_RESERVE: '0' })).toBe(75);
});

test('an invalid keyword is refused without a request', async () => {
  const asked = simulator.log().total;
  for (const keyword of ['', '  ', 'x'.repeat(201)]) {
    const { code, stderr } = await run([...at, 'search', keyword], env);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^pricebook: A keyword must have 1 to 200 characters.*\n$/),
    ]);
  }
  expect(simulator.log().total).toBe(asked);
});

test.each(['export', 'asof', 'changes'])('%s refuses a second --region instead of dropping the first', async (verb) => {
  const { code, stdout, stderr } = await run([verb, '--region', 'uk', '--region', 'ie'], env);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: 'pricebook: --region is given twice but takes one value\n',
  });
});

test('only options that collect values may be repeated', async () => {
  expect(await codeOf(['runs', '--limit', '1', '--limit', '2'])).toBe(2);
  expect(await codeOf(['plan', '--region', 'uk', '--region', 'ie'])).toBe(0);
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
          env: { PATH: process.env['PATH'] ?? '', PRICEBOOK_HOME: home, DATABASE_URL: book.databaseUrl, ...book.queue },
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

test('doctor --ask exits with 69 if the upstream is unavailable', async () => {
  await simulator.close();
  expect(await codeOf(['doctor', '--ask'])).toBe(69);
});
