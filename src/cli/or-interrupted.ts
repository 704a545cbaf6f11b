import { once } from 'node:events';

/**
 * Until it is done or the command is asked to end, whichever comes first: what is asked of a queue server that is gone
 * is never answered. Rejects as `doing` does, unless that was too late.
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
