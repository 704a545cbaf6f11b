import { availableParallelism, loadavg } from 'node:os';
import { withGround } from '../prove/ground.ts';
import { oneOf, programOptions, wholeNumber, wholeNumbers } from '../support/program-options.ts';
import { isRedisInstalled } from '../support/redis-server.ts';
import { crawlNight } from './crawl-night.ts';
import { type Measured, report } from './measure.ts';
import { type QueueKind, queueKinds } from './queue-servers.ts';

/**
 * `npm run scale [-- --only redis|cluster|postgres --items N --workers 1,2,4,8 --in-flight N --delay MS]`: what worker
 * processes do together. Few requests in flight each by default, so that two processors can play the machines of
 * several.
 */
const values = programOptions('scale', {
  only: oneOf(queueKinds, undefined),
  items: wholeNumber(24_000),
  workers: wholeNumbers(1, 2, 4, 8),
  'in-flight': wholeNumber(4),
  /** Milliseconds. */
  delay: wholeNumber(150, 0),
});
const { items, workers, 'in-flight': inFlight, delay: delayMs } = values;
const kinds = queueKinds.filter((kind) => values.only === undefined || values.only === kind);
const say = (text: string) => process.stderr.write(`${text}\n`);
say(
  `${availableParallelism()} processors, Node ${process.version}, ${items} products, ` +
    `${inFlight} requests in flight a process`,
);

const measured: Measured[] = [];
const isMissing = (kind: QueueKind) => kind !== 'postgres' && !isRedisInstalled;
await withGround(
  async (ground) => {
    for (const queue of kinds) {
      if (isMissing(queue)) {
        say(`${queue}: redis-server is not installed`);
        continue;
      }
      for (const count of workers) {
        const plan = { queue, workers: count, items, inFlight, delayMs };
        say(`-- ${queue}, ${count} workers (load ${loadavg()[0]!.toFixed(1)})`);
        const free = await crawlNight(ground, { ...plan, held: null });
        say(`   ${free.perSecond.toFixed(1)} requests a second`);
        // Slower than they can: the limit holds them back, not the machine.
        const requestsPerSecond = Math.max(1, Math.floor(free.perSecond * 0.6));
        // A month of such nights and more: of less, a night would leave categories for another.
        const monthlyQuota = free.requests * 100;
        const held = { requestsPerSecond, monthlyQuota, killAfter: Math.floor((items / 24) * 0.4) };
        measured.push(free, await crawlNight(ground, { ...plan, held }));
      }
    }
  },
  { shared_preload_libraries: 'pg_stat_statements', max_connections: '500' },
);
process.stdout.write(report(measured));
process.exitCode = measured.some(({ broken }) => broken.length > 0) ? 1 : 0;
