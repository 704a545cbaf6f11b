import { readListings } from '../../crawl/run/listing-status.ts';
import { checkAlerts } from '../../followers/alerts/alerts.ts';
import { listingsInUse, readListingHosts } from '../listings-in-use.ts';
import type { Base } from './data.ts';

/** Sends alerts to ALERT_URL; null: not configured. */
export function composeAlerts(
  base: Pick<Base, 'config' | 'clock' | 'log' | 'db'>,
): ((signal: AbortSignal) => Promise<void>) | null {
  const { config, clock, log, db } = base;
  if (config.alerts === null) return null;
  const { url, secret } = config.alerts;
  const needs: Parameters<typeof checkAlerts>[0] = {
    db,
    clock,
    log,
    // Read for each message, because the content of a file may change without a restart.
    receiver: {
      get url() {
        return url.reveal();
      },
      get secret() {
        return secret?.reveal() ?? null;
      },
    },
    async readQuotas(now) {
      const listings = await readListings(db, now, listingsInUse(config));
      return listings.map(({ listing, requestsSpent: used, monthlyQuota: included }) => ({ listing, used, included }));
    },
    async readHosts() {
      const hosts = await readListingHosts(base);
      return hosts.map(({ listing, host, hostStatus }) => ({
        listing: listing.name,
        host,
        isOld: hostStatus.kind === 'replaced',
        deadline: hostStatus.deadline,
      }));
    },
  };
  return (signal) => checkAlerts(needs, signal);
}
