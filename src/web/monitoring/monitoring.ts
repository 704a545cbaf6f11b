import type { Instruments } from '../../base/metrics/instruments.ts';
import { sharedRead } from '../kernel/shared-read.ts';
import { type GaugeValues, renderGauges } from './gauges.ts';
import { type Check, createReadiness } from './readiness.ts';

/** Health and metrics of a process. */
export type Monitoring = ReturnType<typeof createMonitoring>;

interface MonitoringNeeds {
  /** Called for each request, because checks are added during start-up. */
  checks(): readonly Check[];
  readonly instruments: Pick<Instruments, 'render'>;
  /** `reachable`: names of the checks that passed. */
  readGauges(reachable: ReadonlySet<string>): Promise<GaugeValues>;
}

/** Checks that must pass before gauges are read. */
export const databaseCheck = 'database';
export const queueCheck = 'queue';

export function createMonitoring({ checks, instruments, readGauges }: MonitoringNeeds) {
  const look = createReadiness(checks);
  let reachable: ReadonlySet<string> = new Set();
  /** Concurrent requests share a read of the ledger. If it fails, the check of the database reports it next time. */
  const read = sharedRead(() => readGauges(reachable).catch(() => null));
  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    look,
    /** In the Prometheus text format. If the database is not reachable, only the metrics of the process itself. */
    async metrics(): Promise<string> {
      const results = await look();
      reachable = new Set(results.filter(({ reason }) => reason === null).map(({ name }) => name));
      const values = reachable.has(databaseCheck) ? await read() : null;
      return `${(await instruments.render()).trimEnd()}\n${await renderGauges(results, values)}`;
    },
  };
}
