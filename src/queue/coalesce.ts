import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `work` for a key at most once at a time, with a rest of `everyMs` after each; calls in between become one more
 * call afterwards. Resolves at once when such a call is due anyway.
 */
export function coalesce<Key>(work: (key: Key) => Promise<void>, everyMs: number): (key: Key) => Promise<void> {
  const busy = new Map<Key, { isDue: boolean }>();

  async function rest(key: Key, state: { isDue: boolean }): Promise<void> {
    for (;;) {
      await sleep(everyMs, undefined, { ref: false });
      if (!state.isDue) break;
      state.isDue = false;
      // Nobody waits for this one; what it misses the heartbeat finds.
      await work(key).catch(() => undefined);
    }
    busy.delete(key);
  }

  return async (key) => {
    const known = busy.get(key);
    if (known) {
      known.isDue = true;
      return;
    }
    const state = { isDue: false };
    busy.set(key, state);
    try {
      await work(key);
    } finally {
      void rest(key, state);
    }
  };
}
