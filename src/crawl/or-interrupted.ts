import { once } from 'node:events';

/**
 * Waits for a promise or the interruption, whichever comes first: a request to an unreachable queue server never
 * settles. Rejects as `doing` does, unless interrupted before.
 */
export async function orInterrupted(doing: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const settled = new AbortController();
  const interrupted = signal.aborted ? null : once(signal, 'abort', { signal: settled.signal }).catch(() => undefined);
  try {
    await Promise.race([doing, interrupted]);
  } finally {
    settled.abort();
  }
}
