import type { RegionCode } from '../../base/model/index.ts';
import { deliverWatches } from '../watches/deliver-watches.ts';
import type { Condition } from './condition.ts';
import { type DeliverNeeds, deliverAlerts } from './deliver.ts';
import { driftConditions } from './drift.ts';
import { hostConditions, type WatchedHost } from './hosts.ts';
import { keepAlerts } from './keep-alerts.ts';
import { type QuotaUsed, quotaConditions, refusalConditions } from './listings.ts';
import { nightConditions } from './nights.ts';
import { folderSubject, roomConditions } from './room.ts';
import { workerConditions } from './workers.ts';

/** Sends alerts, and the messages of watches, to a webhook or by e-mail. */
export interface Alerts {
  /** Evaluates all conditions and sends pending messages. */
  look(signal: AbortSignal): Promise<void>;
}

interface AlertNeeds extends DeliverNeeds {
  /** Data folder; its disk may become full. */
  readonly home: string;
  readonly regions: readonly RegionCode[];
  readQuotas(now: Date): Promise<readonly QuotaUsed[]>;
  readHosts(): Promise<readonly WatchedHost[]>;
}

export function createAlerts(needs: AlertNeeds): Alerts {
  const { db, clock, home, regions, readQuotas, readHosts } = needs;

  const conditionsAt = async (now: Date): Promise<Condition[]> => [
    ...(await nightConditions(db)),
    ...quotaConditions(await readQuotas(now)),
    ...(await refusalConditions(db)),
    ...hostConditions(await readHosts()),
    ...(await driftConditions(db, regions)),
    ...(await workerConditions(db, now)),
    ...(await roomConditions(db, home)),
  ];

  return {
    async look(signal) {
      const now = clock.now();
      await keepAlerts(db, await conditionsAt(now), now, folderSubject(home));
      await deliverAlerts(needs, signal);
      await deliverWatches(needs, signal);
    },
  };
}
