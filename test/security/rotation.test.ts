import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawlNights } from '../../src/crawl/crawl-nights.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { useFolder } from '../support/folder.ts';
import { leaksInDatabase, leaksInFiles } from '../support/leaks.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createEchoingUpstream, type EchoingUpstream } from './echoing-upstream.ts';

const installation = useInstallation();
const home = useFolder('rotation');
const keyFile = join(home, 'key');
const [oldKey, newKey] = ['old-key-0123456789abcdef', 'new-key-0123456789abcdef'];

let simulator: Simulator;
let upstream: EchoingUpstream;
beforeAll(async () => {
  simulator = await createSimulator({ items: 60, superDepartments: 3, date: '2026-03-01' });
  upstream = await createEchoingUpstream(simulator.url);
});
afterAll(async () => {
  await upstream.close();
  await simulator.close();
});

test('a key that is replaced in its file is used from the next request on, without a restart', async () => {
  writeFileSync(keyFile, `${oldKey}\n`);
  // As a secret mount does it: a new file takes the old one's place.
  const rotated = upstream.until(12).then(() => {
    writeFileSync(join(home, 'next'), `${newKey}\n`);
    renameSync(join(home, 'next'), keyFile);
    return upstream.keys.length;
  });
  const options = {
    installation,
    upstream: upstream.url,
    now: nightOf('2026-03-01'),
    home,
    env: { GROCERY_KEY: '', GROCERY_KEY_FILE: keyFile, REQUEST_CONCURRENCY: '1' },
  };
  const runs = await withCrawler(options, (_, crawler) =>
    crawlNights(crawler, { regions: ['uk'], maxDetails: 0, signal: new AbortController().signal }),
  );
  expect(runs.map(({ status }) => status)).toEqual(['published']);

  const asked = await rotated;
  expect(upstream.keys.slice(0, 12)).toEqual(Array(12).fill(oldKey));
  // One may have been on its way.
  expect(new Set(upstream.keys.slice(asked + 1))).toEqual(new Set([newKey]));
  expect(upstream.keys.length).toBeGreaterThan(asked + 3);

  rmSync(keyFile);
  for (const key of [oldKey, newKey]) {
    expect(await leaksInDatabase(installation.databaseUrl, key)).toEqual([]);
    expect(await leaksInFiles(home, key)).toEqual([]);
  }
});
