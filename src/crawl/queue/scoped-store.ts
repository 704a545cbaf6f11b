import { createHash } from 'node:crypto';
import type { QueueStore } from './store.ts';

/**
 * Gives the queues names that depend on `scope` (upstream, clock and database as text), so that a process never
 * receives jobs of a run that belongs to others.
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
