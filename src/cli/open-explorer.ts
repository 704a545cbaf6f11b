import type { Config } from '../app/config.ts';
import { statusOf } from '../app/listings-in-use.ts';
import { countNightsOwed } from '../followers/derive/owed-nights.ts';
import { createAccess } from '../web/access/access.ts';
import { failureOf } from '../web/api/failure.ts';
import { type Explorer, type ExplorerNeeds, openExplorer } from '../web/server.ts';
import { cannotListen, isPortTaken } from './cannot-listen.ts';
import type { Console } from './console.ts';
import { ownCommand } from './hint.ts';
import type { Watched } from './monitor.ts';

const runsShown = 14;

/** Throws `Refused` before any resource is opened. */
export function refuseUnguarded({ host, dashboard }: Config): void {
  createAccess({ host, ...dashboard });
}

/**
 * Opens the explorer on the configured port. If the port is in use: throws if PORT is set, because proxies, bookmarks
 * or Prometheus expect it there; otherwise uses any free port.
 */
export async function openExplorerOver({ base, monitoring, queues }: Watched, console: Console): Promise<Explorer> {
  const { config, clock, db, databaseUrl, runs, log } = base;
  const { host, port, isPortChosen, dashboard } = config;
  const needs: ExplorerNeeds = {
    ...{ host, port, databaseUrl, clock, ownCommand, monitoring, queues },
    access: dashboard,
    nightBeginsAt: config.nightAt,
    readStatus: () => statusOf(base),
    countNightsOwed: (region) => countNightsOwed(db, region),
    readRuns: () => runs.recent(runsShown),
    onTrouble: (error) => {
      const level = failureOf(error).status === 503 ? 'info' : 'error';
      log[level]({ err: error }, 'a request to the explorer failed');
    },
    onOwnRights: (reason) =>
      log.warn(
        { reason },
        'the explorer reads with the rights of DATABASE_URL, because that user may not switch to bi_reader',
      ),
  };
  return openExplorer(needs).catch((error: unknown) => {
    if (isPortChosen || !isPortTaken(error)) throw cannotListen(error, host, port, 'HOST or PORT');
    console.say(`Port ${port} is in use by another program; the explorer uses any free port. Set PORT to choose one.`);
    return openExplorer({ ...needs, port: 0 });
  });
}
