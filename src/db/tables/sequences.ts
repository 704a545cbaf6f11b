import { ops } from './schemas.ts';

/** Numbers batches of pages. */
export const pageBatch = ops.sequence('page_batch');

/** Change keys, drawn under a lock (src/ledger/night-changes.ts): a sequence alone does not follow the order of commits. */
export const changeSeq = ops.sequence('change_seq');
