import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Measure } from './measure.ts';

/** What this process has done since it began. */
export interface Instruments extends Measure {
  /** The text format of Prometheus. */
  render(): Promise<string>;
}

/** A request is answered in a tenth of a second, or given up after REQUEST_TIMEOUT, a minute. */
const requestBuckets = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];
/** A range of pages takes seconds, a first night's indices and a year's export many minutes. */
const jobBuckets = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3_600];
/** A night with 2% changes should merge within a second, a first night within half a minute. */
const publicationBuckets = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** Counters and histograms of one process. They begin at nothing whenever it is started, as Prometheus expects. */
export function createInstruments({ role, version }: { role: string; version: string }): Instruments {
  const registers = [new Registry()];
  const requests = new Counter({
    name: 'pricebook_requests_total',
    help: 'Requests of this process to the upstream, by what became of them.',
    labelNames: ['listing', 'endpoint', 'outcome'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'pricebook_request_duration_seconds',
    help: 'From a request of this process to the last byte of its answer; waiting for limits is not in it.',
    labelNames: ['listing', 'endpoint', 'outcome'],
    buckets: requestBuckets,
    registers,
  });
  const jobSeconds = new Histogram({
    name: 'pricebook_job_duration_seconds',
    help: 'Jobs of the queues that this process did.',
    labelNames: ['queue', 'outcome'],
    buckets: jobBuckets,
    registers,
  });
  const publicationSeconds = new Histogram({
    name: 'pricebook_publication_duration_seconds',
    help: 'Merging a night into the catalogue, by this process.',
    labelNames: ['region'],
    buckets: publicationBuckets,
    registers,
  });
  describeProcess(registers, { role, version });

  return {
    request({ seconds, ...labels }) {
      requests.inc(labels);
      if (seconds !== null) requestSeconds.observe(labels, seconds);
    },
    // Prometheus gives `job` a meaning of its own.
    job: ({ seconds, job: queue, outcome }) => jobSeconds.observe({ queue, outcome }, seconds),
    publication: ({ seconds, region }) => publicationSeconds.observe({ region }, seconds),
    render: () => registers[0]!.metrics(),
  };
}

/** Under the names that dashboards for processes know. What prom-client gathers by itself does not pass promtool. */
function describeProcess(registers: Registry[], labels: { role: string; version: string }): void {
  new Gauge({
    name: 'pricebook_build_info',
    help: '1, with the role of the process and the version of the program.',
    labelNames: ['role', 'version'],
    registers,
  }).set(labels, 1);
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process began, seconds since 1970.',
    registers,
  }).set(performance.timeOrigin / 1_000);
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}
