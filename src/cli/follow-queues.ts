import { setTimeout as sleep } from 'node:timers/promises';
import { openStoreToLook } from '../app/compose/queue.ts';
import type { Base } from '../app/compose.ts';
import type { QueueStore } from '../crawl/queue/store.ts';

const againMs = 5_000;

/** Opens the queues as soon as their server is reachable, for a process that only displays them. */
export async function followQueues(
  base: Base,
  useQueues: (store: QueueStore) => void,
): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();
  let opened: QueueStore | null = null;

  const open = async () => {
    for (let tries = 1; !closing.signal.aborted; tries += 1) {
      try {
        opened = await openStoreToLook(base);
        useQueues(opened);
        return;
      } catch (error) {
        if (tries === 1)
          base.log.warn({ reason: (error as Error).message }, 'the job queues are not reachable yet; trying again');
        await sleep(againMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };
  const opening = open();
  return {
    async close() {
      closing.abort();
      await opening;
      await opened?.close();
    },
  };
}
