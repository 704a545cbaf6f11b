import { regionCodes, type World } from '../../base/model/index.ts';
import { readSimulated, settleWorld } from '../../crawl/ledger/worlds.ts';
import { createSimulator, type Simulator } from '../../simulator/index.ts';
import { defaultItems, defaultSeed } from '../config/simulated.ts';
import { atSimulator, type Config, worldOf } from '../config.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';
import { type CrawlerOptions, cataloguedProducts } from './settings.ts';

/** The world this installation crawls, once the database is known to be about it. Throws `OtherWorld`. */
export async function enterWorld({ config, db, clock }: Base, options: CrawlerOptions): Promise<World> {
  const world = await worldAsBegun({ config, db }, options);
  const { acceptNewHost = false } = options;
  // Without an address nothing can be crawled; whoever tries is told so.
  if (world.kind === 'live' && world.baseUrl === null) return world;
  await settleWorld(db, { world, now: clock.now(), acceptNewHost, waysOut: waysOut(config) });
  return world;
}

/** The world this installation is configured for, the simulator as it was set up when the book was begun. */
export async function worldAsBegun(
  { config, db }: Pick<Base, 'config' | 'db'>,
  options: Pick<CrawlerOptions, 'simulator'> = {},
): Promise<World> {
  const begun = config.upstream === 'simulator' ? await readSimulated(db) : null;
  const { seed = begun?.seed ?? defaultSeed, items = begun?.items ?? defaultItems } = options.simulator ?? {};
  return worldOf(config, { seed, items });
}

/**
 * Products that a region is taken to list before its first night: as many as the simulator that plays the upstream has,
 * or half of what the specification says of the catalogue of both.
 */
export async function productsAssumed(
  { config, db }: Pick<Base, 'config' | 'db'>,
  items: number | undefined,
): Promise<number> {
  if (config.upstream !== 'simulator') return cataloguedProducts / regionCodes.length;
  return items ?? (await readSimulated(db))?.items ?? defaultItems;
}

/** Starts the simulator where it is the world that is crawled, and points the configuration at it. */
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

/** How another book is opened, or this one emptied. */
function waysOut({ databaseUrl }: Config): string {
  return databaseUrl
    ? 'DATABASE_URL of another database keeps both; `pricebook reset --yes --database` empties this one.'
    : 'PRICEBOOK_HOME of another folder keeps both; `pricebook reset --yes` empties this one.';
}
