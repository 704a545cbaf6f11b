import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import { createDatabase } from '../../src/db/client.ts';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createSpend } from '../../src/gateway/limits/spend.ts';
import { listingLimits } from '../support/listing-limits.ts';
import type { Figure, Measured } from './figure.ts';

const program = fileURLToPath(new URL('../../src/cli/pricebook.js', import.meta.url));

/** What lies before a crawl's first request: the program's own start, the embedded server's, and being let through. */
export const start: Figure = {
  name: 'start',
  async run() {
    const home = mkdtempSync(join(tmpdir(), 'pricebook-bench-'));
    // If root runs this, the server runs as another user who needs access.
    chmodSync(home, 0o755);
    try {
      return [startOfProgram(), ...(await startOfServer(home))];
    } finally {
      await removeEmbedded(home);
      rmSync(home, { recursive: true, force: true });
    }
  },
};

function startOfProgram(): Measured {
  const run =
    (...args: string[]) =>
    () =>
      void spawnSync(process.execPath, args, { stdio: 'ignore' });
  // The first one compiles it.
  run(program, '--help')();
  const [bare, help] = [medianSeconds(run('-e', '0')), medianSeconds(run(program, '--help'))];
  return {
    what: 'start of the program: pricebook --help / node -e 0',
    value: help / bare,
    unit: '',
    target: { is: 'at most', aim: 8, floor: 15 },
    from: `${help.toFixed(2)} s / ${bare.toFixed(2)} s, median of 9`,
  };
}

async function startOfServer(home: string): Promise<Measured[]> {
  const open = () => openEmbedded({ home, log: silentLog });
  await (await open()).close();
  const startedAt = performance.now();
  const server = await open();
  const seconds = secondsSince(startedAt);
  try {
    return [
      {
        what: 'start of the embedded server, its data being there',
        value: seconds,
        unit: 's',
        target: null,
        from: 'until it answers',
      },
      await letThrough(server.url),
    ];
  } finally {
    await server.close();
  }
}

/** Sends requests as a crawl does: a fixed number in flight, each followed by the next. */
async function letThrough(url: string): Promise<Measured> {
  const db = createDatabase({ url, applicationName: 'bench', max: 8 });
  await migrate(db);
  const unlimited = listingLimits();
  const listings = { grocery: unlimited, stores: unlimited, property_1: unlimited, property_2: unlimited };
  const spend = createSpend({ db, listings, clock: systemClock });
  const asked = { listing: 'grocery', endpoint: 'bench', region: 'uk', paths: ['/'], query: {}, runId: 1 } as const;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let i = 0; i < 200; i += 1) await spend.settle(await spend.reserve(asked), { kind: 'ok' });
    }),
  );
  const seconds = secondsSince(startedAt);
  await spend.close();
  await db.end();
  return {
    what: 'requests a second that are let through and counted where nothing is limited',
    value: 6_400 / seconds,
    unit: '',
    target: { is: 'at least', aim: 3_000, floor: 3_000 },
    from: '6,400 requests, 32 at a time',
  };
}

function medianSeconds(work: () => void): number {
  const seconds = Array.from({ length: 9 }, () => {
    const startedAt = performance.now();
    work();
    return secondsSince(startedAt);
  });
  return seconds.sort((a, b) => a - b)[4]!;
}

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1_000;
