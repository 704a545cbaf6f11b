/** Runs `look` periodically, never concurrently, until closed. */
export function lookEvery(ms: number, look: () => Promise<void>): { close(): Promise<void> } {
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null;
    });
  }, ms).unref();
  return {
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}
