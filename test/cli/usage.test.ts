import { expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Interruption } from '../../src/cli/interruption.ts';
import { verbs } from '../../src/cli/program.ts';
import { useCliHome } from './pricebook.ts';
import { createRecordingConsole } from './recording-console.ts';
import cases from './usage.json' with { type: 'json' };

const { run, start } = useCliHome();

test('help lists every command and the exit codes', async () => {
  const { code, stdout } = await start(['--help']).ended;
  expect(code).toBe(0);
  for (const { name } of verbs) expect(stdout).toContain(`\n  ${name} `);
  expect(stdout).toContain('75 stopped by a limit');
});

// A row of usage.json: the mistake, the arguments, and a pattern of what is written to stderr.
const tooLong = ['an overlong keyword', ['search', 'x'.repeat(201)], '^pricebook: A keyword must have 1 to 200 .*\n$'];
test.each([...cases, tooLong] as [string, string[], string][])(
  '%s is one line and exit code 2',
  async (_, args, line) => {
    const { console, heard } = createRecordingConsole();
    const interruption: Interruption = {
      signal: new AbortController().signal,
      exitCode: () => null,
      end: () => undefined,
    };
    expect(await runCommandLine(args, { console, interruption })).toBe(2);
    expect(heard.stderr).toMatch(new RegExp(line));
    expect(heard.stdout).toBe('');
  },
);

test('invalid variables are reported together, secrets without values', async () => {
  const { code, stderr } = await run(['status'], {
    DATABASE_URL: 'mysql://root:hunter2@db/shop',
    PORT: 'many',
    GROCERY_REQUESTS_PER_SEC: '5',
    GROCERY_BASE_URL: 'http://example.com',
  });
  expect(code).toBe(78);
  expect(stderr).toMatch(/^pricebook: The configuration has \d mistakes:\n/);
  for (const name of ['DATABASE_URL', 'PORT', 'GROCERY_REQUESTS_PER_SEC', 'GROCERY_BASE_URL']) {
    expect(stderr).toContain(`  ${name} `);
  }
  expect(stderr).not.toContain('hunter2');
});

test('config shows all variables with origin and without secrets', async () => {
  const { code, stdout } = await run(['config', '--json'], { GATEWAY_KEY: 'abc-123', PORT: '4000' });
  expect(code).toBe(0);
  const { version, settings } = JSON.parse(stdout) as { version: number; settings: { name: string }[] };
  expect(version).toBe(1);
  const named = (name: string) => settings.find((setting) => setting.name === name);
  expect(named('GATEWAY_KEY')).toMatchObject({ value: '[secret]', origin: 'environment' });
  expect(named('PORT')).toMatchObject({ value: '4000', origin: 'environment' });
  expect(named('ARCHIVE')).toMatchObject({ value: null, origin: 'default', default: 'file' });
  expect(stdout).not.toContain('abc-123');
});

test('reset needs --yes, and --database for a configured server', async () => {
  const unsure = await run(['reset']);
  expect(unsure.code).toBe(2);
  expect(unsure.stderr).toContain('--yes');
  const foreign = await run(['reset', '--yes'], { DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/shop' });
  expect(foreign.code).toBe(2);
  expect(foreign.stderr).toMatch(/^pricebook: DATABASE_URL names a server of your own: --database .*\n$/);
});

test.each([
  ['crawl', '--items'],
  ['start', '--nights'],
])('%s %s is refused if a gateway is configured', async (verb, option) => {
  const env = { GROCERY_BASE_URL: 'http://127.0.0.1:1', GROCERY_KEY: 'k' };
  const { code, stderr } = await run([verb, option, '10'], env);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^pricebook: --\w+ is for the simulator.*\n$/),
  });
});

test('simulate prints its address, serves the night of --now, and exits with 143', async () => {
  const simulator = start(['--now', '2026-03-05', 'simulate', '--items', '50', '--port', '0', '--key', 'sesame']);
  const [, url] = await simulator.until(/(http:\/\/127\.0\.0\.1:\d+)\n/);
  await simulator.until(/catalogue of 2026-03-05\.\n/);
  const answer = await fetch(`${url}/getCategoryIdsForIreland`, {
    headers: { 'x-gateway-host': 'grocery.simulator', 'x-gateway-key': 'wrong' },
  });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  simulator.process.kill('SIGTERM');
  const { code, stdout, stderr } = await simulator.ended;
  expect({ code, stdout }).toEqual({ code: 143, stdout: `${url}\n` });
  expect(stderr).not.toContain('sesame');
});
