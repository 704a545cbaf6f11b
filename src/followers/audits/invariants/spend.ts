import type { Invariant } from './invariant.ts';

const settled = 'ok + failed + refused + rate_limited + quota + denied + aborted';

/** Requests: none is counted twice, and all counted requests were sent. */
export const spendInvariants: readonly Invariant[] = [
  {
    says: 'no more requests have an outcome than were sent',
    sql: `select listing, endpoint, region, run_id, hour, sent, ${settled} as settled
          from ops.spend
          where sent < ${settled}`,
  },
  {
    says: 'no count of requests is negative',
    sql: `select listing, endpoint, hour from ops.spend
          where least(sent, ok, failed, refused, rate_limited, quota, denied, aborted) < 0`,
  },
  {
    says: 'a run was charged no more than was sent for it',
    sql: `select run_id, requests_spent, sent from ops.run r
          cross join lateral (select coalesce(sum(sent), 0) as sent from ops.spend s where s.run_id = r.run_id) as s
          where r.requests_spent > s.sent`,
  },
  {
    says: 'every page and detail that was read was paid for',
    sql: `select run_id, read, ok from (
            select run_id, (select count(*) from ops.category_page p where p.run_id = r.run_id and p.status = 'done')
              + (select count(*) from ops.detail_fetch d where d.run_id = r.run_id and d.status = 'done'
                and d.outcome = 'found') as read,
              (select coalesce(sum(units), 0) from ops.spend s where s.run_id = r.run_id) as ok
            from ops.run r) as runs
          where read > ok`,
  },
  {
    says: 'a request counts at least once against the limits',
    sql: `select listing, endpoint, region, run_id, hour, sent, units from ops.spend where units > 0 and units < sent`,
  },
  {
    says: 'a quota is never overdrawn into the negative, and its period goes forward',
    sql: `select listing, used, month_starts_at, month_ends_at from ops.listing
          where least(used, used_before, used_by_others) < 0 or month_ends_at <= month_starts_at`,
  },
];
