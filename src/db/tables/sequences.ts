import { ops } from './schemas.ts';

/**
 * Change keys, drawn under a lock (src/crawl/ledger/night-changes.ts): a sequence alone does not follow the order of
 * commits.
 */
export const changeSeq = ops.sequence('change_seq');
