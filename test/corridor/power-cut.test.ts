import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compose } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { createLog } from '../../src/base/log.ts';
import { regionCodes } from '../../src/base/model/index.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { createNightClock } from '../bench/night-clock.ts';
import { brokenPromises } from '../export/read-lake.ts';
import { createChance } from '../support/chance.ts';
import { type Command, startCommand } from '../support/command.ts';
import { canForget, type ForgettingDisk, openForgettingDisk } from '../support/forgetting-disk.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { disagreements } from '../support/truth.ts';

const chance = createChance(Number(process.env['SEED'] ?? 1));

const nights = ['2026-04-01', '2026-04-02'] as const;

/** Skipped where one may not mount, or Debian's xfsprogs is missing. */
describe.skipIf(!canForget)('a power cut after which only synced data are left', () => {
  let disk: ForgettingDisk;
  let simulator: Simulator;
  let crawling: Command | null = null;
  beforeAll(async () => {
    disk = openForgettingDisk();
    simulator = await createSimulator({ items: 240, superDepartments: 3, dailyChange: 0.2, dailyTurnover: 0.02 });
  });
  afterAll(async () => {
    crawling?.process.kill('SIGKILL');
    await simulator.close();
    await disk.remove();
  });

  const lake = () => join(disk.folder, 'lake');
  const env = () => ({
    PRICEBOOK_HOME: join(disk.folder, 'book'),
    EXPORT_TO: lake(),
    GROCERY_BASE_URL: simulator.url,
    GROCERY_KEY: sentinelKey,
    LOG_LEVEL: 'silent',
  });
  const pricebook = (date: string, ...args: string[]): Command => {
    simulator.change({ date });
    crawling = startCommand(['--now', `${date}T04:00:00Z`, ...args], { cwd: disk.folder, env: env() });
    return crawling;
  };
  const cutPower = async () => {
    await disk.cutPower();
    expect(brokenPromises(lake())).toEqual([]);
  };
  const asked = async (requests: number) => {
    while (simulator.log().total < requests && !crawling?.isOver()) await sleep(10);
  };

  test('after a power cut during or after a night, no reported data are lost and the night is correct', async () => {
    mkdirSync(lake());
    const first = await pricebook(nights[0], 'crawl', '--max-details', '10').ended;
    expect(first.code, first.said).toBe(0);
    const requests = simulator.log().total;

    simulator.resetLog();
    simulator.change({ faults: [{ kind: 'slow', ms: 40 }] });
    // Those of the second night are about as many; its last are followed by publication, derivation and export.
    for (const share of [0.3 + chance.number() * 0.4, 0.9 + chance.number() * 0.1]) {
      pricebook(nights[1], 'crawl', '--max-details', '10');
      await asked(Math.floor(requests * share));
      await sleep(chance.number() * 500);
      await cutPower();
    }
    const second = await pricebook(nights[1], 'crawl', '--max-details', '10').ended;
    expect(second.code, second.said).toBe(0);

    // A night that was reported as certified stays certified, and its requests are counted.
    await cutPower();
    simulator.resetLog();
    const again = await pricebook(nights[1], 'crawl', '--max-details', '10').ended;
    expect(again.code, again.said).toBe(0);
    expect(again.said).toContain('certified already');
    expect(simulator.log().total).toBe(0);
    // Payloads in the ledger can be read, because the archive is synced first.
    const replayed = await pricebook(nights[1], 'replay', '--from', nights[0], '--to', nights[1], '--json').ended;
    expect(replayed.code, replayed.said).toBe(0);
    expect(replayed.said).toMatch(/"differences": ?\[\]/);

    const config = loadConfig(env(), { cwd: disk.folder });
    const log = createLog({ level: 'silent' });
    const base = await compose(config, { clock: createNightClock(nights[1]), log, name: 'power-cut' });
    try {
      for (const region of regionCodes) {
        for (const night of nights) expect(await disagreements(base.db, simulator, region, night)).toEqual([]);
      }
      expect(await brokenInvariants(base.db)).toEqual([]);
    } finally {
      await base.close();
    }
  });
});
