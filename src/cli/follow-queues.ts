import { setTimeout as sleep } from 'node:timers/promises';
import { openStoreToLook } from '../app/compose/queue.ts';
import type { Base } from '../app/compose.ts';
import { limitLines } from '../base/limited-lines.ts';
import type { QueueStore } from '../crawl/queue/store.ts';

const againMs = 5_000;

/** Opens the queues as soon as their server is reachable, for a process that only displays them. */
export async function followQueues(base: Base, useQueues: (store: QueueStore) => void) {
  const closing = new AbortController();
  const warn = limitLines((fields, message) => base.log.warn(fields, message));
  const opening = open();
  return {
    async close() {
      closing.abort();
      await (await opening)?.close();
    },
  };

  async function open(): Promise<QueueStore | null> {
    while (!closing.signal.aborted) {
      const store = await openStoreToLook(base).catch((error: Error) => error);
      if (!(store instanceof Error)) {
        useQueues(store);
        return store;
      }
      warn({ reason: store.message }, 'the job queues are not reachable yet; trying again');
      await sleep(againMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    return null;
  }
}
