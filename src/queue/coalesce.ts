/**
 * Calls `work` for a key at most once at a time and at most every `everyMs`; calls in between become one more call
 * afterwards. Resolves at once when such a call is due anyway.
 */
export function coalesce<Key>(work: (key: Key) => Promise<void>, everyMs: number): (key: Key) => Promise<void> {
  const busy = new Map<Key, { isDue: boolean }>();
  return async (key) => {
    const state = busy.get(key);
    if (state) {
      state.isDue = true;
      return;
    }
    const mine = { isDue: false };
    busy.set(key, mine);
    try {
      await work(key);
    } finally {
      setTimeout(() => {
        busy.delete(key);
        // Nobody waits for this one; what it misses the heartbeat finds.
        if (mine.isDue) work(key).catch(() => undefined);
      }, everyMs).unref();
    }
  };
}
