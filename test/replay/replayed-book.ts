import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { clockFrom } from '../../src/clock.ts';
import { type CrawlerOptions, composeReplay } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import { endpointsOf } from '../../src/endpoints/index.ts';
import type { Run } from '../../src/ledger/runs.ts';
import { type RegionCode, regionCodes } from '../../src/model/index.ts';
import { type ReplayReport, type ReplayRequest, replayArchive } from '../../src/replay/replay-archive.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { type TestInstallation, useInstallation } from '../support/queue-backends.ts';

/** A small supermarket with nights that are crawled and replayed, its archive kept between them. */
export interface ReplayedBook {
  readonly installation: TestInstallation;
  readonly simulator: Simulator;
  /** Data folder. */
  readonly home: string;
  crawl(date: string, crawler?: CrawlerOptions, maxDetails?: number): Promise<Run[]>;
  /** Replays; by default both regions, all that is read, without applying it. */
  replay(
    nights: { from: string; to: string },
    options?: Partial<ReplayRequest> & { readonly endpointsOf?: typeof endpointsOf },
  ): Promise<ReplayReport>;
}

/** Enough to be chosen among, few enough not to outnumber the pages of a night. */
const detailsPerNight = 12;

export function useReplayedBook(options: SimulatorOptions, regions: readonly RegionCode[] = regionCodes): ReplayedBook {
  const installation = useInstallation();
  const home = mkdtempSync(join(tmpdir(), 'pricebook-replay-'));
  let simulator: Simulator | null = null;
  beforeAll(async () => {
    simulator = await createSimulator(options);
  });
  afterAll(async () => {
    await simulator?.close();
    rmSync(home, { recursive: true, force: true });
  });

  return {
    installation,
    home,
    get simulator() {
      return simulator!;
    },
    async crawl(date, crawler, maxDetails = detailsPerNight) {
      simulator!.change({ date });
      return crawlNight({
        installation,
        upstream: simulator!.url,
        now: nightOf(date),
        maxDetails,
        regions,
        home,
        ...(crawler ? { crawler } : {}),
      });
    },
    async replay(nights, { endpointsOf: mapping = endpointsOf, ...request } = {}) {
      const config = loadConfig({ DATABASE_URL: installation.databaseUrl, PRICEBOOK_HOME: home }, { cwd: home });
      const needs = { config, db: installation.db, clock: clockFrom(nightOf('2026-04-01')) };
      return replayArchive(composeReplay(needs, { endpointsOf: mapping }), {
        ...nights,
        regions,
        parts: ['listing', 'detail'],
        apply: false,
        signal: new AbortController().signal,
        ...request,
      });
    },
  };
}
