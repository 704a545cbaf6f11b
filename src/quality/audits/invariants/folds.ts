import { detailFolding, type Folding, pageFolding, payloadFolding, unfolded } from '../../../ledger/folded.ts';
import type { Invariant } from './invariant.ts';

/** True when the arrays of a fold are all there and of `length`, or none is there. */
const isEven = ({ folded }: Folding, length: string): string => {
  const [first, ...others] = folded.map((name) => `cardinality(${name})`);
  return `(${first} is null or ${first} = ${length}) and ${others.map((other) => `${other} is not distinct from ${first}`).join(' and ')}`;
};

/** Folds: what is left of old runs says what their rows said. */
export const foldInvariants: readonly Invariant[] = [
  {
    says: 'the arrays of a fold are of one length, or all gone',
    sql: `select run_id, 'page' as fold from ops.page_fold where not (${isEven(pageFolding, 'cardinality(reading)')})
          union all
          select run_id, 'detail' from ops.detail_fold where not (${isEven(detailFolding, 'products')})
          union all
          select run_id, 'payload' from ops.payload_fold where not (${isEven(payloadFolding, 'payloads')})`,
  },
  {
    says: 'the counts of folded pages are those of the pages, as long as these are kept',
    sql: `select f.run_id, f.category_no, f.pages, f.pages_read, p.pages as kept, p.pages_read as kept_read from ops.page_fold f
          join (
            select run_id, category_no, count(distinct page_no) as pages, max(page_no) as last_page,
              count(distinct page_no) filter (where status = 'done') as pages_read, count(*) filter (where status = 'done') as readings_done
            from (${unfolded(pageFolding)}) as u group by run_id, category_no) as p using (run_id, category_no)
          where (f.pages, f.last_page, f.pages_read, f.readings_done) <> (p.pages, p.last_page, p.pages_read, p.readings_done)`,
  },
  {
    says: 'no run that goes on is folded, and none lies in the ledger twice',
    sql: `select run_id, r.status::text as also from ops.page_fold join ops.run r using (run_id) where r.status in ('open', 'held')
          union all
          select run_id, 'page' from ops.page_fold f where exists (
            select from ops.category_page p where p.run_id = f.run_id and p.category_no = f.category_no)
          union all
          select run_id, 'detail' from ops.detail_fold f where exists (select from ops.detail_fetch d where d.run_id = f.run_id)`,
  },
  {
    says: 'a folded run that can be replayed has the payloads of its pages',
    sql: `select run_id, category_no from ops.page_fold f
          where page_no is not null and not exists (select from ops.payload_fold p where p.run_id = f.run_id)`,
  },
];
