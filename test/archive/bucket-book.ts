import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Base, compose, composePruning, composeReplay } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { clockFrom } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { replayArchive } from '../../src/publish/replay/replay-archive.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { type TestInstallation, useInstallation } from '../support/queue-backends.ts';
import { type CrawlChild, startChild } from '../support/start-child.ts';
import { disagreements } from '../support/truth.ts';

/** A book whose archive is a bucket. Each command has a data folder of its own, as on a machine of its own. */
export interface BucketBook {
  readonly installation: TestInstallation;
  readonly simulator: Simulator;
  /** Crawls `uk` in this process. */
  crawl(date: string): Promise<unknown>;
  /** Crawls `uk` in another process. */
  start(date: string): CrawlChild;
  prune(date: string, days: number): Promise<{ readonly payloads: number; readonly packs: number }>;
  /** Fails unless the night is as the simulator showed it, and a replay from the bucket finds no difference. */
  expectReplayable(date: string): Promise<void>;
  /** Packs that the ledger knows. */
  packs(): Promise<string[]>;
  /** Paths of requests that were sent to the upstream more than once. */
  askedAgain(): string[];
}

export function useBucketBook(options: SimulatorOptions, env: () => Readonly<Record<string, string>>): BucketBook {
  const installation = useInstallation();
  const homes: string[] = [];
  const newHome = () => {
    homes.push(mkdtempSync(join(tmpdir(), 'pricebook-bucket-')));
    return homes.at(-1)!;
  };
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ superDepartments: 3, ...options });
  });
  afterAll(async () => {
    await simulator.close();
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  });

  async function withBase<Result>(date: string, use: (base: Base) => Promise<Result>): Promise<Result> {
    const { databaseUrl, queue } = installation;
    const home = newHome();
    const config = loadConfig({ DATABASE_URL: databaseUrl, ...queue, PRICEBOOK_HOME: home, ...env() }, { cwd: home });
    const log = createLog({ level: 'silent' });
    const base = await compose(config, { clock: clockFrom(nightOf(date)), log, name: 'test' });
    return use(base).finally(() => base.close());
  }

  return {
    installation,
    get simulator() {
      return simulator;
    },

    crawl(date) {
      simulator.change({ date });
      return crawlNight({ installation, upstream: simulator.url, now: nightOf(date), regions: ['uk'], env: env() });
    },

    start(date) {
      simulator.change({ date });
      const { databaseUrl, queue = {} } = installation;
      return startChild({
        installation: { databaseUrl, queue },
        upstream: simulator.url,
        now: nightOf(date).toISOString(),
        regions: ['uk'],
        maxDetails: 5,
        home: newHome(),
        env: { REQUEST_CONCURRENCY: '4', ...env() },
      });
    },

    prune: (date, days) => withBase(date, (base) => composePruning(base)(days)),

    async expectReplayable(date) {
      const { db } = installation;
      expect(await disagreements(db, simulator, 'uk', date)).toEqual([]);
      expect(await brokenInvariants(db)).toEqual([]);
      const { rows, differences, nights } = await withBase(date, (base) =>
        replayArchive(composeReplay(base), {
          from: date,
          to: date,
          regions: ['uk'],
          parts: ['listing', 'detail'],
          apply: false,
          signal: new AbortController().signal,
        }),
      );
      expect({ rows, differences, nights: nights.length }).toEqual({ rows: [], differences: [], nights: 1 });
    },

    async packs() {
      const rows = await rowsOf<{ pack: string }>(
        installation.db,
        'select distinct pack from ops.payload_body order by 1',
      );
      return rows.map(({ pack }) => pack);
    },

    askedAgain() {
      const paths = simulator.log({ full: true }).requests!.map(({ path }) => path);
      return paths.filter((path, index) => paths.indexOf(path) < index);
    },
  };
}
