import type { ListingName } from '../base/model/index.ts';
import { readStatus, type Status } from '../questions/status.ts';
import { monthlyQuotaOn, type Subscription } from '../source/listings/index.ts';
import type { Base } from './compose/data.ts';
import { askedListings } from './config/asked-listings.ts';
import type { Config } from './config.ts';

/** Listings in use with their monthly quotas including bonus requests; with the simulator, the grocery listing. */
export function askableListings(config: Config, now: Date): ReadonlyMap<ListingName, number | null> {
  const on = now.toISOString().slice(0, 10);
  return new Map(
    askedListings(config).map((name) => {
      const { subscription, bonusOffer: offer, monthlyQuota: told } = config.listings[name];
      return [name, monthlyQuotaOn(on, subscription, { offer, told })];
    }),
  );
}

/** Subscriptions of the listings in use. */
export function subscriptionsOf(config: Config): ReadonlyMap<ListingName, Subscription> {
  return new Map(askedListings(config).map((name) => [name, config.listings[name].subscription]));
}

/** Runs, nights and listings as of now. */
export function statusOf({ config, clock, db, runs }: Pick<Base, 'config' | 'clock' | 'db' | 'runs'>): Promise<Status> {
  const now = clock.now();
  return readStatus({ db, runs, now, quotas: askableListings(config, now), subscriptions: subscriptionsOf(config) });
}
