import { regionCodes } from '../../base/model/index.ts';
import { type Alerts, createAlerts } from '../../followers/alerts/alerts.ts';
import { readListings } from '../../questions/status.ts';
import { askableListings } from '../askable-listings.ts';
import type { Base } from './data.ts';

/** What tells ALERT_URL; null: nobody is told. */
export function composeAlerts(base: Pick<Base, 'config' | 'clock' | 'log' | 'db'>): Alerts | null {
  const { config, clock, log, db } = base;
  if (config.alerts === null) return null;
  const { url, secret } = config.alerts;
  return createAlerts({
    db,
    clock,
    log,
    // Read again for every message: what a file holds may be replaced without a restart.
    webhook: {
      get url() {
        return url.reveal();
      },
      get secret() {
        return secret?.reveal() ?? null;
      },
    },
    home: config.home,
    regions: regionCodes,
    async readQuotas(now) {
      const listings = await readListings(db, now, askableListings(config, now));
      return listings.map(({ listing, requestsUsed: used, monthlyQuota: included }) => ({ listing, used, included }));
    },
  });
}
