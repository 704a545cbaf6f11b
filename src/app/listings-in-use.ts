import type { ListingName } from '../base/model/index.ts';
import { addressAfter, readMoves } from '../crawl/moves.ts';
import { lastProbes } from '../crawl/probe.ts';
import { readStatus, type Status } from '../questions/status.ts';
import { hostStatusOf, listings as registry } from '../source/listings/index.ts';
import type { Base } from './compose/data.ts';
import type { Config, ConfiguredListing } from './config.ts';

/** The listings in use: the configured ones; with the simulator, the grocery listing. */
export function listingsInUse({
  listings,
  upstream,
}: Pick<Config, 'listings' | 'upstream'>): ReadonlyMap<ListingName, ConfiguredListing> {
  const isInUse = ({ name, baseUrl }: ConfiguredListing) =>
    baseUrl !== null || (upstream === 'simulator' && name === 'grocery');
  return new Map(
    Object.values(listings)
      .filter(isInUse)
      .map((listing) => [listing.name, listing]),
  );
}

/** Runs, nights and listings as of now. */
export function statusOf({ config, clock, db, runs }: Pick<Base, 'config' | 'clock' | 'db' | 'runs'>): Promise<Status> {
  return readStatus({ db, runs, now: clock.now(), regions: config.regions, listings: listingsInUse(config) });
}

/** Where the listings in use are asked, their moves included. Asks nothing of the gateway. */
export async function readListingHosts({ config, db, clock }: Pick<Base, 'config' | 'db' | 'clock'>) {
  const on = clock.now().toISOString().slice(0, 10);
  const moves = await readMoves(db);
  const probes = await lastProbes(db);
  return [...listingsInUse(config).values()].map(({ name, baseUrl, host: configured }) => {
    const listing = registry[name];
    const { host } = addressAfter(moves, name, { baseUrl: baseUrl ?? '', host: configured });
    const led = moves.filter((each) => each.listing === name && each.to.host === host);
    const probe = probes.get(name);
    const hasAnswered = probe?.host === host && probe.outcome === 'answered';
    const answeredOn = hasAnswered ? probe.probedAt.toISOString().slice(0, 10) : null;
    const hostStatus = hostStatusOf(listing, host, { on, isNew: led.length > 0, answeredOn });
    /** The move that led to the present host; null: it is asked where it is configured. */
    const move = led.at(-1) ?? null;
    return { listing, host, hostStatus, move };
  });
}
