import { createHash } from 'node:crypto';
import type { QueueStore } from './store.ts';

/**
 * The store as processes of one upstream, one clock and one database see it: their queues have names of their own, so
 * that none of them is handed a job that it would have to leave to others. `scope`: upstream, clock and database in
 * words.
 */
export function scopedStore(store: QueueStore, scope: string): QueueStore {
  const suffix = createHash('sha256').update(scope).digest('hex').slice(0, 8);
  return {
    ...store,
    queue: (name) => store.queue(`${name}-${suffix}`),
    look: (name) => store.look(`${name}-${suffix}`),
    depths: (name) => store.depths(`${name}-${suffix}`),
    worker: (name, concurrency, process) => store.worker(`${name}-${suffix}`, concurrency, process),
  };
}
