import type { Base } from '../compose.ts';
import { type Dashboard, type DashboardNeeds, openDashboard } from '../dashboard/server.ts';
import { readStatus } from '../status/status.ts';
import { askableListings, subscriptionsOf } from './askable-listings.ts';
import type { Console } from './console.ts';
import { isPortTaken } from './port-taken.ts';

const runsShown = 14;

/** The dashboard where the configuration wants it; where somebody else listens already, on any free port. */
export async function openDashboardOver(base: Base, console: Console): Promise<Dashboard> {
  const { config, clock, db, runs, log } = base;
  const { host, port } = config;
  const needs: DashboardNeeds = {
    host,
    port,
    readStatus: () => {
      const now = clock.now();
      return readStatus({
        db,
        runs,
        now,
        quotas: askableListings(config, now),
        subscriptions: subscriptionsOf(config),
      });
    },
    readRuns: () => runs.recent(runsShown),
    onTrouble: (error) => log.info({ err: error }, 'the dashboard could not be served'),
  };
  try {
    return await openDashboard(needs);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    console.say(`Port ${port} is in use by another program; the dashboard takes a free one (PORT sets it).`);
    return await openDashboard({ ...needs, port: 0 });
  }
}
