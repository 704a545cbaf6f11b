import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { useHousehold } from './pricebook.ts';

const book = useInstallation();
const { run, start } = useHousehold({ book });
let simulator: Simulator;
let env: Record<string, string>;
beforeAll(async () => {
  simulator = await createSimulator({
    items: 2_000,
    superDepartments: 4,
    date: '2026-03-31',
    key: sentinelKey,
  });
  env = { GROCERY_BASE_URL: simulator.url, GROCERY_HOST: 'grocery.simulator', GROCERY_REQUESTS_PER_SECOND: '50' };
});
afterAll(() => simulator.close());

const at = ['--now', '2026-03-31T02:00:00Z'];
/** Keeps the crawl at its pages until the other commands have ended. */
const slow = { kind: 'slow', ms: 6_000, probability: 0.9, after: 5 } as const;
const wrong = { GROCERY_KEY: 'WRONG' };

test('a search and a crawl with a wrong key are refused, while the crawl with the right key finishes', async () => {
  simulator.change({ faults: [slow] });
  const crawling = start([...at, 'crawl', '--region', 'uk', '--max-details', '0'], env);
  const pagesRead = async () =>
    (await rowsOf<{ ok: number }>(book.db, 'select coalesce(sum(ok), 0)::int as ok from ops.spend'))[0]!.ok;
  while ((await pagesRead()) < 5) await new Promise((resolve) => setTimeout(resolve, 50));

  const searching = await run([...at, 'search', 'milk'], { ...env, ...wrong });
  expect(searching).toMatchObject({ code: 78, stderr: expect.stringContaining('Check the key in GROCERY_KEY') });
  const joining = await run([...at, 'crawl', '--region', 'uk', '--max-details', '0'], { ...env, ...wrong });
  expect(joining).toMatchObject({ code: 78, stderr: expect.stringContaining('Check the key in GROCERY_KEY') });

  simulator.change({ faults: [] });
  expect(await crawling.ended).toMatchObject({ code: 0 });
  const denied = await rowsOf<{ denied: number }>(book.db, 'select sum(denied)::int as denied from ops.spend');
  expect(denied[0]!.denied).toBeLessThanOrEqual(4);
  expect(JSON.stringify(await rowsOf(book.db, 'select * from ops.listing, ops.stop'))).not.toContain('WRONG');
});

/** In front of the simulator: a key whose quota is used up. Returns its address, and what ends it. */
async function openGateway(usedUp: string): Promise<{ url: string; close(): void }> {
  const server = createServer((asked, response) => {
    if (asked.headers['x-gateway-key'] === usedUp) {
      const days = {
        'x-ratelimit-requests-limit': 500,
        'x-ratelimit-requests-remaining': 0,
        'x-ratelimit-requests-reset': 432_000,
      };
      response.writeHead(429, { 'content-type': 'application/json', ...days });
      response.end('{"message":"You have exceeded the MONTHLY quota for Requests on your current plan, BASIC."}');
      return;
    }
    const { method, headers } = asked;
    const passed = request(new URL(asked.url ?? '/', simulator.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a worker whose key has no quota left leaves the run to a crawl with another key', async () => {
  await book.loseQueue();
  await forgetEverything(book.db);
  const gateway = await openGateway('USED-UP');
  const shared = { ...env, GROCERY_BASE_URL: gateway.url, GROCERY_REQUESTS_PER_SECOND: '0' };
  const poor = { ...shared, GROCERY_KEY: 'USED-UP' };
  try {
    expect(await run([...at, 'crawl', '--region', 'uk', '--max-details', '0'], poor)).toMatchObject({ code: 75 });
    const working = start([...at, 'work'], { ...poor, LOG_LEVEL: 'info' });
    await working.until(/"working"/);
    const crawling = await run([...at, 'crawl', '--region', 'uk', '--max-details', '0'], shared);
    expect(crawling).toMatchObject({ code: 0, stdout: expect.stringContaining('complete') });
    const joining = await run([...at, 'crawl', '--region', 'ie', '--max-details', '0'], poor);
    expect(joining).toMatchObject({ code: 75, stderr: expect.stringContaining('quota') });
    working.process.kill('SIGTERM');
    expect(await working.ended).toMatchObject({ code: 143 });
  } finally {
    gateway.close();
  }
});
