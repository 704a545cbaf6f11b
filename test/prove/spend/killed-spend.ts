import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from '../../../src/db/rows.ts';
import type { SimulatorOptions } from '../../../src/simulator/index.ts';
import { type Chance, createChance } from '../../support/chance.ts';
import type { Command } from '../../support/command.ts';
import type { Ground } from '../ground.ts';
import type { Trial } from '../profile.ts';
import { openSite } from '../site.ts';

/** Long enough for a new minute to begin after the first requests. */
const lengthMs = 75_000;

/**
 * One random schedule of `pricebook crawl` processes that share a book, are killed with SIGKILL and started again,
 * against a simulator that enforces a limit in every window over HTTP. What a window has left ends some of them by
 * themselves.
 */
export async function playWithCommands(ground: Ground, seed: number): Promise<Trial> {
  const chance = createChance(seed);
  const limits = drawLimits(chance);
  const { perSecond, perMinute, perHour, perDay, perMonth } = limits;
  const upstream: SimulatorOptions = {
    items: 60_000,
    evolve: false,
    count: 'all',
    requestsPerSecond: perSecond,
    // How long a request is under way is not ours: on a busy machine one in a hundred arrived 35 ms after it went out.
    burst: 1,
    requestsPerMinute: perMinute,
    requestsPerHour: perHour,
    requestsPerDay: perDay,
    monthlyQuota: perMonth,
    subscribedOn: '2026-01-01',
  };
  const env = {
    GROCERY_REQUESTS_PER_SECOND: String(perSecond),
    GROCERY_MONTHLY_QUOTA: String(perMonth),
    GROCERY_LIMITS: `${perMinute}/minute; ${perHour}/hour; ${perDay}/day`,
    LOG_LEVEL: 'silent',
  };
  const site = await openSite(ground, { upstream, env });
  let kills = 0;
  const endsAt = performance.now() + lengthMs;
  try {
    await Promise.all(Array.from({ length: chance.whole(2, 4) }, (_, place) => livesInPlace(place)));
    const log = site.simulator.log();
    const [reserved] = await rowsOf<{ units: number }>(site.db, 'select used::int as units from ops.listing');
    const tooMany = log.byStatus['429'] ?? 0;
    const broken = [
      ...(tooMany > 0 ? [`${tooMany} requests were one too many`] : []),
      ...(reserved!.units < log.total ? [`${log.total} requests arrived, ${reserved!.units} were reserved`] : []),
    ];
    return {
      seed,
      kind: 'commands',
      broken,
      counts: { arrived: log.total, kills },
      details: JSON.stringify(limits),
    };
  } finally {
    await site.close();
  }

  /** Runs one process after the other in the same place, each until it is killed or has nothing left to request. */
  async function livesInPlace(place: number): Promise<void> {
    const own = createChance(seed * 10 + place);
    await sleep(own.whole(0, 3_000));
    while (performance.now() < endsAt) {
      const crawl = site.start(['crawl', '--region', own.pick(['uk', 'ie']), '--max-details', '50']);
      const isKilled = await endOf(crawl, own.pick([1_500, 4_000, 9_000, lengthMs]));
      if (isKilled) kills += 1;
      await sleep(own.pick([0, 300, 2_000]));
    }
  }

  /** Whether it had to be killed. */
  async function endOf(crawl: Command, afterMs: number): Promise<boolean> {
    const atMs = Math.min(performance.now() + afterMs, endsAt);
    while (!crawl.isOver() && performance.now() < atMs) await sleep(50);
    if (!crawl.isOver()) crawl.process.kill('SIGKILL');
    const { code } = await crawl.ended;
    return code === null;
  }
}

/** Each of the longer ones may be the one that ends it. */
function drawLimits(chance: Chance) {
  const perSecond = chance.whole(2, 8);
  const perMinute = chance.whole(20, perSecond * 60);
  const longer = () => chance.pick([5_000, chance.whole(30, 2 * perMinute)]);
  return { perSecond, perMinute, perHour: longer(), perDay: longer(), perMonth: longer() };
}
