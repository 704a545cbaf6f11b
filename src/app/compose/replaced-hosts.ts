import { readMoves } from '../../crawl/ledger/listing-moves.ts';
import { movesToWatch, recordReplacedHost, replacedHostState } from '../../crawl/moving/replaced-host.ts';
import { listings as registry } from '../../source/listings/index.ts';
import { type Closer, unwind } from './closers.ts';
import type { Base } from './data.ts';
import { composeHosts } from './hosts.ts';

/** 20 hours: at most one request per day and host. */
const askAgainAfterMs = 20 * 3_600_000;

/**
 * Checks replaced hosts that may still be subscribed, with at most one request per day each, until they refuse the key.
 */
export function composeReplacedHosts(base: Pick<Base, 'config' | 'clock' | 'log' | 'db'>) {
  return async (signal: AbortSignal): Promise<void> => {
    const { db, clock } = base;
    const now = clock.now();
    const due = movesToWatch(await readMoves(db)).filter(
      ({ replacedHostSeenAt: seen }) => seen === null || now.getTime() - seen.getTime() >= askAgainAfterMs,
    );
    if (due.length === 0) return;
    const closers: Closer[] = [];
    try {
      const ask = composeHosts(base, { closers, signal });
      for (const move of due) {
        const { classification } = await ask(move.listing, move.from, registry[move.listing].probeTarget);
        const state = replacedHostState(classification);
        if (state) await recordReplacedHost(db, move, { state, now });
      }
    } finally {
      await unwind(closers);
    }
  };
}
