import { kindOfClock } from '../../base/clock.ts';
import type { World } from '../../base/model/index.ts';
import { readSimulated, settleWorld } from '../../crawl/world.ts';
import { createSimulator, type Simulator } from '../../simulator/index.ts';
import { defaultItems, defaultSeed } from '../config/simulated.ts';
import { atSimulator, type Config, worldOf } from '../config.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';
import type { CrawlerOptions } from './settings.ts';

/** World of this installation, after checking that the database belongs to it. Throws `OtherWorld`. */
export async function enterWorld({ config, db, clock }: Base, options: CrawlerOptions): Promise<World> {
  const world = await worldAsBegun({ config, db }, options);
  const { acceptNewHost = false } = options;
  // Without an address nothing can be crawled; crawling commands report it.
  if (world.kind === 'live' && world.baseUrl === null) return world;
  const kind = options.clock ?? kindOfClock(clock);
  await settleWorld(db, { world, clock: kind, now: clock.now(), acceptNewHost, waysOut: waysOut(config) });
  return world;
}

/** Configured world; a simulator keeps the settings stored in the database. */
export async function worldAsBegun(
  { config, db }: Pick<Base, 'config' | 'db'>,
  options: Pick<CrawlerOptions, 'simulator'> = {},
): Promise<World> {
  const begun = config.upstream === 'simulator' ? await readSimulated(db) : null;
  const { seed = begun?.seed ?? defaultSeed, items = begun?.items ?? defaultItems } = options.simulator ?? {};
  return worldOf(config, { seed, items });
}

/** Starts the simulator if it is the upstream, and points the configuration at it. */
export async function playWorld(
  { config, clock }: Base,
  world: World,
  options: CrawlerOptions,
  closers: Closer[],
): Promise<{ readonly config: Config; readonly simulator: Simulator | null }> {
  if (world.kind === 'live') return { config, simulator: null };
  const { seed, items } = world;
  const simulator = await createSimulator({ ...options.simulator, seed, items, now: () => clock.now() });
  closers.push(() => simulator.close());
  return { config: atSimulator(config, simulator.url), simulator };
}

/** Advice for using another database or emptying this one. */
function waysOut({ databaseUrl }: Config): string {
  return databaseUrl
    ? 'Set DATABASE_URL to another database to keep both, or empty this one with `pricebook reset --yes --database`.'
    : 'Set PRICEBOOK_HOME to another folder to keep both, or empty this one with `pricebook reset --yes`.';
}
