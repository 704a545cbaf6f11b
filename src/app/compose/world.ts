import { regionCodes, type World } from '../../base/model/index.ts';
import { readSimulated, settleWorld } from '../../crawl/ledger/worlds.ts';
import { createSimulator, type Simulator } from '../../simulator/index.ts';
import { defaultItems, defaultSeed } from '../config/simulated.ts';
import { atSimulator, type Config, worldOf } from '../config.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';
import { type CrawlerOptions, cataloguedProducts } from './settings.ts';

/** World of this installation, after checking that the database belongs to it. Throws `OtherWorld`. */
export async function enterWorld({ config, db, clock }: Base, options: CrawlerOptions): Promise<World> {
  const world = await worldAsBegun({ config, db }, options);
  const { acceptNewHost = false } = options;
  // Without an address nothing can be crawled; crawling commands report it.
  if (world.kind === 'live' && world.baseUrl === null) return world;
  await settleWorld(db, { world, now: clock.now(), acceptNewHost, waysOut: waysOut(config) });
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

/**
 * Assumed number of listed products per region before the first night: the simulator's, or half of the number in the
 * specification.
 */
export async function productsAssumed(
  { config, db }: Pick<Base, 'config' | 'db'>,
  items: number | undefined,
): Promise<number> {
  if (config.upstream !== 'simulator') return cataloguedProducts / regionCodes.length;
  return items ?? (await readSimulated(db))?.items ?? defaultItems;
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
