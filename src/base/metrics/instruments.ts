import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Measure } from './measure.ts';

/** Counters and histograms of this process. */
export interface Instruments extends Measure {
  /** Metrics in the Prometheus text format. */
  render(): Promise<string>;
}

/** Most requests take about 0.1 s; REQUEST_TIMEOUT ends them after 60 s. */
const requestBuckets = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];
/** A job takes from seconds up to many minutes for a first night's indices or a year's export. */
const jobBuckets = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3_600];
/** Target: one second for a night with 2% changes, half a minute for a first night. */
const publicationBuckets = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** Creates the metrics of a process. Counters start at zero, as Prometheus expects. */
export function createInstruments({ role, version }: { role: string; version: string }): Instruments {
  const registers = [new Registry()];
  const requests = new Counter({
    name: 'pricebook_requests_total',
    help: 'Requests of this process to the upstream by outcome.',
    labelNames: ['listing', 'endpoint', 'outcome'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'pricebook_request_duration_seconds',
    help: 'Time from sending a request to the last byte of its response, without waiting for limits.',
    labelNames: ['listing', 'endpoint', 'outcome'],
    buckets: requestBuckets,
    registers,
  });
  const jobSeconds = new Histogram({
    name: 'pricebook_job_duration_seconds',
    help: 'Duration of jobs run by this process.',
    labelNames: ['queue', 'outcome'],
    buckets: jobBuckets,
    registers,
  });
  const publicationSeconds = new Histogram({
    name: 'pricebook_publication_duration_seconds',
    help: 'Duration of publications by this process.',
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
    // Prometheus reserves the label `job`.
    job: ({ seconds, job: queue, outcome }) => jobSeconds.observe({ queue, outcome }, seconds),
    publication: ({ seconds, region }) => publicationSeconds.observe({ region }, seconds),
    render: () => registers[0]!.metrics(),
  };
}

/** Standard process metrics under their usual names; the default metrics of prom-client do not pass promtool. */
function describeProcess(registers: Registry[], labels: { role: string; version: string }): void {
  new Gauge({
    name: 'pricebook_build_info',
    help: 'Always 1; role of the process and version of the program are labels.',
    labelNames: ['role', 'version'],
    registers,
  }).set(labels, 1);
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process in seconds since 1970.',
    registers,
  }).set(performance.timeOrigin / 1_000);
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}
