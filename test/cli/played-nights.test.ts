import { describe, expect, test } from 'vitest';
import { useInstallation } from '../support/queue-backends.ts';
import { useHousehold } from './pricebook.ts';

const { run, start } = useHousehold({ book: useInstallation('PostgreSQL') });
const small = ['--items', '60', '--max-details', '0'];

interface RunJson {
  readonly region: string;
  readonly snapshot_date: string;
  readonly certificate: string | null;
  readonly status: string;
}

/** Starts the program at that date until it is idle or prints `until`; returns its output. */
async function startOn(date: string, args: readonly string[], until = /Ctrl-C ends it/): Promise<string> {
  const running = start(['--now', date, 'start', ...args], { PORT: '0' });
  await running.until(until);
  running.process.kill(until.source.startsWith('Ctrl-C') ? 'SIGINT' : 'SIGKILL');
  return (await running.ended).stderr;
}

async function nights(): Promise<string[]> {
  const { stdout } = await run(['runs', '--limit', '200', '--json']);
  const { runs } = JSON.parse(stdout) as { runs: readonly RunJson[] };
  return runs.map((each) => `${each.region} ${each.snapshot_date} ${each.certificate ?? each.status}`).sort();
}

const complete = (...dates: string[]) =>
  ['ie', 'uk'].flatMap((region) => dates.map((date) => `${region} ${date} complete`));

async function requestsSpent(): Promise<number> {
  const { stdout } = await run(['runs', '--limit', '200', '--json']);
  const { runs } = JSON.parse(stdout) as { runs: readonly { requests_spent: number }[] };
  return runs.reduce((sum, each) => sum + each.requests_spent, 0);
}

describe('start without a key', () => {
  let said: string;

  test('two processes started after a kill continue the played nights and share the rest', async () => {
    await startOn('2026-03-10', ['--nights', '2', ...small], /night 1 of 2: 2026-03-08/);
    const both = await Promise.all([1, 2].map(() => startOn('2026-03-10', ['--nights', '2'])));
    said = both[0]!;
    for (const each of both) expect(each).not.toMatch(/"level":(50|60)/);
    expect(both.join('')).toMatch(
      /^night 1 of 1: 2026-03-09, uk complete with \d+ products, ie complete with \d+ products$/m,
    );
    expect(await nights()).toEqual(complete('2026-03-08', '2026-03-09', '2026-03-10'));
  });

  test('the hints name commands that return rows', () => showsWhatItSays(said));

  test('a restart plays and spends nothing, and keeps the size of the simulator', async () => {
    const before = await requestsSpent();
    const said = await startOn('2026-03-10', ['--nights', '9']);
    expect(said).not.toContain('night 1 of');
    expect(said).toMatch(/^uk 2026-03-10 is certified already/m);
    expect(await requestsSpent()).toBe(before);
    const { stdout } = await run(['asof', '--region', 'uk', '--date', '2026-03-10', '--json']);
    expect(JSON.parse(stdout).rows.length).toBeLessThanOrEqual(60);
  });
});

/** What to look at, and each of it shows something on this book. */
async function showsWhatItSays(said: string): Promise<void> {
  const commands = [...said.matchAll(/npm run --silent pricebook -- (asof|changes|status)( .*)?$/gm)];
  expect(commands.map(([, verb]) => verb)).toEqual(['asof', 'changes', 'status']);
  for (const [, verb, args = ''] of commands) {
    const { code, stdout } = await run(['--now', '2026-03-10', verb!, ...args.trim().split(' ').filter(Boolean)]);
    expect({ verb, code }).toEqual({ verb, code: 0 });
    expect(stdout.trim().split('\n').length).toBeGreaterThan(1);
  }
}

test('--nights is refused in one line if a key is set', async () => {
  const ended = await run(['start', '--nights', '3'], {
    GATEWAY_KEY: 'any',
    GROCERY_BASE_URL: 'https://gateway.example',
  });
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^pricebook: --nights is for the simulator, .* cannot be crawled\.\n$/),
  });
});
