import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { useHousehold } from './pricebook.ts';

const { run } = useHousehold({ book: useInstallation() });
let simulator: Simulator;
let env: Record<string, string>;
beforeAll(async () => {
  simulator = await createSimulator({
    items: 120,
    superDepartments: 3,
    date: '2026-03-01',
    faults: [{ kind: 'pencePrices' }],
  });
  env = { GROCERY_BASE_URL: simulator.url, GROCERY_HOST: 'grocery.simulator', GROCERY_REQUESTS_PER_SECOND: '0' };
});
afterAll(() => simulator.close());

const tonight = ['--now', '2026-03-01T02:00:00Z'];
const crawl = [...tonight, 'crawl', '--region', 'uk', '--max-details', '0'];
const asked = () => simulator.log().total;

test('a held night is asked for once, however often it is crawled; --again asks for it once more', async () => {
  const first = await run(crawl, env);
  expect(first).toMatchObject({ code: 3, stdout: expect.stringMatching(/^uk 2026-03-01: held, /) });
  const before = asked();

  const plan = await run([...tonight, 'plan', '--region', 'uk'], env);
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringMatching(/^uk 2026-03-01: held back, nothing is asked/) });
  const second = await run(crawl, env);
  expect(second).toMatchObject({ code: 3, stdout: first.stdout });
  expect(second.stderr).toMatch(/^uk 2026-03-01 is held back already .*certify --release 1 --why .*crawl --again/m);
  expect(second.stderr).toMatch(/^ +held back: /m);
  expect(asked()).toBe(before);

  const again = await run([...crawl, '--again'], env);
  expect(again).toMatchObject({ code: 3, stdout: expect.stringMatching(/^uk 2026-03-01: held, /) });
  expect(asked()).toBeGreaterThan(before);
});
