import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { createRefusingUpstream } from '../support/refusing-upstream.ts';
import { useCliHome } from './pricebook.ts';

const cliHome = useCliHome();
const database = useDatabase({ from: 'empty', isForEachTest: true });

test('a night whose first requests fail for half a minute waits and ends complete', async () => {
  const simulator = await createSimulator({ items: 200, date: '2026-03-01' });
  let tooEarly = 0;
  let notBeforeMs = 0;
  const after = (seconds: number) => (atMs: number) => {
    notBeforeMs = atMs + seconds * 1_000;
    return { status: 503, headers: { 'retry-after': `${seconds}` } };
  };
  const onDate = (atMs: number) => {
    // A date has whole seconds.
    const untilMs = Math.floor(atMs / 1_000 + 4) * 1_000;
    notBeforeMs = untilMs - 1_000;
    return { status: 503, headers: { 'retry-after': new Date(untilMs).toUTCString() } };
  };
  const failures = [after(3), onDate, () => ({ status: 503 }), () => ({ status: 502 })];
  const upstream = await createRefusingUpstream(simulator.url, (atMs) => {
    if (atMs < notBeforeMs) tooEarly += 1;
    return failures.shift()?.(atMs) ?? null;
  });
  try {
    const env = { DATABASE_URL: database.url, GROCERY_BASE_URL: upstream.url };
    const args = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'];
    const { code, stdout, stderr } = await cliHome.start(args, env).ended;
    expect(stderr.match(/the upstream is unavailable; waits\./g)).toHaveLength(1);
    expect(stdout).toMatch(/^uk 2026-03-01: complete/);
    expect(code).toBe(0);
    expect(tooEarly).toBe(0);
  } finally {
    await upstream.close();
    await simulator.close();
  }
});
