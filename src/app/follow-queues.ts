import { setTimeout as sleep } from 'node:timers/promises';
import { limitLines } from '../base/limited-lines.ts';
import type { QueueStore } from '../crawl/queue/store.ts';
import { type Base, openStore } from './compose.ts';

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
      const store = await openStore(base.config, base.databaseUrl, base.log).catch((error: Error) => error);
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
