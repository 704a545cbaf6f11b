import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type CrawlerOptions, composeReplay, settingsOf } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { clockFrom } from '../../src/base/clock.ts';
import { type RegionCode, regionCodes } from '../../src/base/model/index.ts';
import { createRuns, type Run } from '../../src/crawl/run/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { type Released, releaseRun } from '../../src/publish/release.ts';
import { type ReplayReport, type ReplayRequest, replay as replayNights } from '../../src/publish/replay/replay.ts';
import { tidyUp } from '../../src/publish/tidy-up.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts';
import { endpointsOf } from '../../src/source/endpoints/index.ts';
import { nightOf } from '../support/crawl.ts';
import { keepConnections } from '../support/kept-connections.ts';
import { expectNoLeak, leaksInFiles } from '../support/leaks.ts';
import { type TestInstallation, useInstallation } from '../support/queue-backends.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { type DirectBook, openDirectBook } from '../trust/direct-book.ts';

keepConnections();

const { signal } = new AbortController();

/**
 * A small supermarket with nights that are crawled and replayed, its archive kept between them. The jobs of a night run
 * without a queue, and nothing follows them before a replay or a release.
 */
export interface ReplayedBook {
  readonly installation: TestInstallation;
  readonly simulator: Simulator;
  /** Data folder. */
  readonly home: string;
  crawl(date: string, crawler?: CrawlerOptions, maxDetails?: number): Promise<Run[]>;
  /** Replays; by default both regions, without applying it. */
  replay(
    nights: { from: string; to: string },
    options?: Partial<ReplayRequest> & { readonly endpointsOf?: typeof endpointsOf },
  ): Promise<ReplayReport>;
  /** Releases a run on the day of the last night or later. */
  release(runId: number, why?: string): Promise<Released>;
}

/** Enough to be chosen among, few enough not to outnumber the pages of a night. */
const detailsPerNight = 12;

export function useReplayedBook(options: SimulatorOptions, regions: readonly RegionCode[] = regionCodes): ReplayedBook {
  const installation = useInstallation();
  const home = mkdtempSync(join(tmpdir(), 'pricebook-replay-'));
  let simulator: Simulator | null = null;
  let direct: (DirectBook & { readonly key: readonly unknown[] }) | null = null;
  beforeAll(async () => {
    simulator = await createSimulator(options);
  });
  afterAll(async () => {
    await direct?.close();
    await simulator?.close();
    const leaks = await leaksInFiles(home);
    rmSync(home, { recursive: true, force: true });
    expectNoLeak(leaks);
  });

  async function openedWith(crawler: CrawlerOptions | undefined, maxDetails: number): Promise<DirectBook> {
    if (direct?.key[0] === crawler?.endpointsOf && direct?.key[1] === maxDetails) return direct;
    await direct?.close();
    const env = {
      DATABASE_URL: installation.databaseUrl,
      ...installation.queue,
      GROCERY_KEY: sentinelKey,
      ARCHIVE: 'file',
    };
    const opened = await openDirectBook({
      upstream: simulator!.url,
      env,
      home,
      maxDetails,
      ...(crawler ? { crawler } : {}),
    });
    direct = { ...opened, key: [crawler?.endpointsOf, maxDetails] };
    return direct;
  }

  return {
    installation,
    home,
    get simulator() {
      return simulator!;
    },
    async crawl(date, crawler, maxDetails = detailsPerNight) {
      simulator!.change({ date });
      const book = await openedWith(crawler, maxDetails);
      const runs: Run[] = [];
      for (const region of regions) runs.push(await book.night(region, date));
      return runs;
    },
    async replay(nights, { endpointsOf: mapping = endpointsOf, ...request } = {}) {
      const config = loadConfig({ DATABASE_URL: installation.databaseUrl, PRICEBOOK_HOME: home }, { cwd: home });
      const needs = { config, db: installation.db, clock: clockFrom(nightOf('2026-04-01')) };
      const report = await replayNights(composeReplay(needs, { endpointsOf: mapping }), {
        ...nights,
        regions,
        apply: false,
        signal,
        ...request,
      });
      if (report.isApplied) {
        await tidyUp(installation.db);
        await follow(installation.db);
      }
      return report;
    },
    async release(runId, why = 'it is so') {
      const { databaseUrl, db } = installation;
      const config = loadConfig({ DATABASE_URL: databaseUrl, PRICEBOOK_HOME: home }, { cwd: home });
      const clock = clockFrom(nightOf('2026-04-01'));
      const released = await releaseRun(
        { db, runs: createRuns(db), clock, settings: settingsOf(config) },
        { runId, why },
      );
      await follow(db);
      return released;
    },
  };
}

/** Follow-up work of a command without payload profiles: figures of changed nights. */
async function follow(db: Database): Promise<void> {
  for (const region of regionCodes) await deriveNights(db, region, { signal });
}
