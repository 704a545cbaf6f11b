import { afterAll, expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { withDatabase } from '../support/database.ts';
import { createRefusingUpstream, type Refusal } from '../support/refusing-upstream.ts';
import { type Ended, useCliHome } from './pricebook.ts';

const cliHome = useCliHome();
const simulator = await createSimulator({ items: 300, superDepartments: 6, date: '2026-03-01' });
afterAll(() => simulator.close());

const args = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'];

/** Crawls against an upstream that refuses from the fifth request on. */
async function crawlRefused(refusal: Refusal, more: (ended: Ended, asked: number) => void) {
  const upstream = await createRefusingUpstream(simulator.url);
  upstream.refuse(refusal, 5);
  await withDatabase(async ({ url }) => {
    const env = { DATABASE_URL: url, GROCERY_BASE_URL: upstream.url };
    const ended = await cliHome.run(args, env);
    const status = await cliHome.run(['status'], env);
    more({ ...ended, stdout: status.stdout }, upstream.asked);
  });
  await upstream.close();
}

const used = { code: 104, type: 'usage_limit_reached', info: 'Your monthly usage limit has been reached.' };
test.concurrent.each<[Refusal, string]>([
  [{ status: 429, body: { message: 'You have exceeded your monthly quota' } }, 'You have exceeded your monthly quota'],
  [
    { status: 403, body: { message: 'Out of call volume quota. Quota will be replenished in 22.14:18:12.' } },
    'Out of call volume quota. Quota will be replenished in 22.14:18:12.',
  ],
  [
    { status: 402, body: { message: 'You have reached the limit.', reason: 'MONTHLY_REQUEST_COUNT' } },
    'You have reached the limit.; MONTHLY_REQUEST_COUNT',
  ],
  [{ status: 200, body: { success: false, error: used } }, `104 usage_limit_reached: ${used.info}`],
])('a quota told by %j ends the crawl with 75, and the crawl and the status quote it', async (refusal, said) => {
  await crawlRefused(refusal, ({ code, stderr, stdout }) => {
    expect(code).toBe(75);
    const complaints = stderr.split('\n').filter((line) => line.startsWith('pricebook: '));
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(said.replace(/\.$/, ''));
    expect(complaints[0]).not.toMatch(/Check the key/);
    expect(stdout).toContain(said);
    expect(stdout).toMatch(/stopped \(quota\) until \d{4}-/);
  });
});

test.concurrent('nothing but 429 in any words stops the listing; the crawl quotes it and the next probe', async () => {
  const message = 'Come back when the moon is full';
  await crawlRefused({ status: 429, body: { message } }, ({ code, stderr, stdout }, asked) => {
    expect(code).toBe(75);
    expect(stderr).toMatch(new RegExp(`^pricebook: .*${message}.* again after \\d{4}-.*Z`, 'm'));
    expect(stdout).toMatch(new RegExp(`stopped \\(failing\\) until \\d{4}-.*${message}`));
    // One request for each pause, after those under way at the first answer.
    expect(asked).toBeLessThan(40);
  });
});

test.concurrent('a refused key still ends the crawl with 78', async () => {
  const body = { message: 'You are not subscribed to this API.' };
  await crawlRefused({ status: 403, body }, ({ code, stderr }) => {
    expect(code).toBe(78);
    expect(stderr).toMatch(/GROCERY_KEY/);
  });
});
