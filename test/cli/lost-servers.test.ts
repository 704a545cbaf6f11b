import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { createTcpProxy } from '../support/tcp-proxy.ts';
import { useCliHome } from './pricebook.ts';

const cliHome = useCliHome();
const silent = useDatabase({ from: 'empty', isForEachTest: true });

const crawl = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'];

test('a crawl with an unresponsive database ends half a minute after an interruption and reports it', async () => {
  const simulator = await createSimulator({ items: 3_000, date: '2026-03-01', faults: [{ kind: 'slow', ms: 50 }] });
  const server = new URL(silent.url);
  const link = await createTcpProxy({ host: server.hostname, port: Number(server.port) });
  const through = new URL(silent.url);
  through.port = String(link.port);
  try {
    const env = { DATABASE_URL: through.href, GROCERY_BASE_URL: simulator.url };
    const running = cliHome.start(crawl, env);
    await expect.poll(() => simulator.log().total, { timeout: 60_000 }).toBeGreaterThan(20);
    link.set('hole');
    running.process.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    expect(code).toBe(143);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^pricebook: work in progress did not finish in 35 seconds and is stopped\. Nothing is lost/,
    );
    expect(await cliHome.run(crawl, { ...env, DATABASE_URL: silent.url })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^uk 2026-03-01: complete/),
    });
  } finally {
    await link.close();
    await simulator.close();
  }
});
