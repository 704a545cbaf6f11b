import type { Queryable } from '../../db/client.ts';
import type { Classification } from '../../gateway/classify.ts';
import type { ListingMove, ReplacedHostState } from '../ledger/listing-moves.ts';
import { isHostUnknown } from './probe-hosts.ts';

/** Subscription state of a replaced host according to its response; null if the response does not show it. */
export function replacedHostState(classification: Classification): ReplacedHostState | null {
  if (classification.kind === 'denied') return 'not_subscribed';
  if (isHostUnknown(classification)) return 'gone';
  return classification.kind === 'ok' || classification.kind === 'quota' ? 'subscribed' : null;
}

/** Moves whose old host may still be subscribed, and is then billed as well as the new one. */
export function movesToWatch(moves: readonly ListingMove[]): ListingMove[] {
  return moves.filter(
    (move) => move.rolledBackAt === null && (move.replacedHostState ?? 'subscribed') === 'subscribed',
  );
}

export async function recordReplacedHost(
  sql: Queryable,
  { moveId }: ListingMove,
  { state, now }: { state: ReplacedHostState; now: Date },
): Promise<void> {
  await sql.query(
    'update ops.listing_move set replaced_host_state = $2, replaced_host_seen_at = $3 where move_id = $1',
    [moveId, state, now],
  );
}
