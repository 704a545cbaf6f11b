import type { Instruments } from '../../base/metrics/instruments.ts';
import { type GaugeValues, renderGauges } from './gauges.ts';
import { type Check, type CheckResult, createReadiness } from './readiness.ts';

/** Health and metrics of a process. */
export interface Monitoring {
  readonly contentType: string;
  /** Runs all readiness checks. */
  look(): Promise<CheckResult[]>;
  /**
   * Metrics in the Prometheus text format. If the database is not reachable, only the metrics of the process itself.
   */
  metrics(): Promise<string>;
}

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

export function createMonitoring({ checks, instruments, readGauges }: MonitoringNeeds): Monitoring {
  const look = createReadiness(checks);
  /** Concurrent requests share one read of the ledger. */
  let reading: Promise<GaugeValues | null> | null = null;

  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    look,
    async metrics() {
      const results = await look();
      const reachable = new Set(results.filter(({ reason }) => reason === null).map(({ name }) => name));
      const values = reachable.has(databaseCheck) ? await readNow(reachable) : null;
      const checked = results.map(({ name, reason }) => ({ name, isOk: reason === null }));
      return `${(await instruments.render()).trimEnd()}\n${await renderGauges(checked, values)}`;
    },
  };

  function readNow(reachable: ReadonlySet<string>): Promise<GaugeValues | null> {
    // If the database fails during the read, its check reports it next time.
    reading ??= readGauges(reachable)
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  }
}
