import { type GaugeValues, renderGauges } from '../../base/metrics/gauges.ts';
import type { Instruments } from '../../base/metrics/instruments.ts';
import { type Check, type CheckResult, createReadiness } from './readiness.ts';

/** What a process tells of itself to those that watch over it. */
export interface Monitoring {
  readonly contentType: string;
  /** Whether it can do its work, check by check. */
  look(): Promise<CheckResult[]>;
  /** The text format of Prometheus. While the database is away, only what the process knows by itself. */
  metrics(): Promise<string>;
}

interface MonitoringNeeds {
  /** Asked anew each time: what there is to check grows while a process starts. */
  checks(): readonly Check[];
  readonly instruments: Pick<Instruments, 'render'>;
  /** `reachable`: names of the checks that found what they are about. */
  readGauges(reachable: ReadonlySet<string>): Promise<GaugeValues>;
}

/** The checks that gauges need. */
export const databaseCheck = 'database';
export const queueCheck = 'queue';

export function createMonitoring({ checks, instruments, readGauges }: MonitoringNeeds): Monitoring {
  const look = createReadiness(checks);
  /** However many ask at once, the ledger is read once. */
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
    // A database that goes away meanwhile is told by its check the next time.
    reading ??= readGauges(reachable)
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  }
}
