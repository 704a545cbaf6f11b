import { ops } from './schemas.ts';

/**
 * Change keys, drawn under a lock (src/crawl/ledger/night-changes.ts), because a sequence alone does not follow commit
 * order.
 */
export const changeSeq = ops.sequence('change_seq');
