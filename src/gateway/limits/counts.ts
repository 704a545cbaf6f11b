import type { Queryable } from '../../db/client.ts';
import { costOfRequests, type Subscription } from '../../source/listings/index.ts';
import { type CountedAs, counted } from '../policy.ts';
import type { Quota } from '../quota.ts';

/** What a process has not written of its requests to a listing for one run. */
export class News {
  readonly counts = new Map<string, Count>();
  /** Permissions that were not used, and since when they were reserved. */
  unsent = 0;
  unsentSince: Date | null = null;
  /** Quota according to the latest headers; `resetsInMs`: from then on; `isProbed`: it replaces what was known. */
  quota: (Quota & { readonly resetsInMs: number | null; readonly isProbed: boolean }) | null = null;
  /** Path and query of the last request that was answered: what a probe repeats. */
  lastAnswered: string | null = null;
  okAt: Date | null = null;
  errorAt: Date | null = null;
  /** One line, without a key. */
  error: string | null = null;

  get isEmpty(): boolean {
    return this.unsent === 0 && this.counts.size === 0;
  }

  /** Counts a request that was sent, at this time. */
  count({ endpoint, region }: Pick<Count, 'endpoint' | 'region'>, as: CountedAs, at: Date): void {
    const hour = new Date(at.getTime() - (at.getTime() % 3_600_000));
    const name = `${hour.getTime()} ${endpoint} ${region}`;
    const count = this.counts.get(name) ?? { hour, endpoint, region, sent: 0 };
    count.sent += 1;
    count[as] = (count[as] ?? 0) + 1;
    this.counts.set(name, count);
  }
}

interface Count extends Partial<Record<CountedAs, number>> {
  readonly hour: Date;
  readonly endpoint: string;
  readonly region: string | null;
  sent: number;
}

interface Account {
  readonly listing: string;
  readonly key: string;
  readonly runId: number | null;
  /** The instant played by `--now`, by which months are counted; null: the database's clock. */
  readonly playedAt: Date | null;
  readonly subscription: Subscription;
  /** Requests of the month, and those included in the plan's price; null: unknown. */
  readonly used: number;
  readonly included: number | null;
}

export async function writeNews(sql: Queryable, account: Account, news: News): Promise<void> {
  const { listing, key, runId, playedAt } = account;
  const { unsent, unsentSince, quota, lastAnswered, okAt, errorAt, error } = news;
  const reported = quota && { limit: quota.limit, remaining: quota.remaining, resets_ms: quota.resetsInMs };
  const counts = JSON.stringify(withCost(account, [...news.counts.values()]));
  await sql.query(statement, [
    ...[listing, key, runId, counts, unsent, unsentSince],
    ...[reported && JSON.stringify(reported), playedAt, quota?.isProbed ?? false],
    ...[lastAnswered, okAt, errorAt, error, account.included],
  ]);
}

/** Each request costs its share of the plan's price or, beyond the included requests, the price of an extra one. */
function withCost({ subscription, used, included }: Account, counts: readonly Count[]) {
  let before = Math.max(0, used - counts.reduce((sum, { sent }) => sum + sent, 0));
  return counts.map((count) => {
    const { amount } = costOfRequests(subscription, { requests: count.sent, used: before, included });
    before += count.sent;
    return { ...count, cost: amount && amount.micros / 1e6, currency: amount?.currency ?? null };
  });
}

const added = ['sent', ...counted].map((name) => `${name} = s.${name} + excluded.${name}`);

/**
 * The headers' quota and our own are counted apart: theirs may be another one, perhaps a daily one. It only falls while
 * it is the same: other answers are on their way. Headers of a month that has ended say nothing. If it is ours, the
 * month ends at the earliest end told within a minute, as answers are late, or after 31 days if the end moves on.
 */
const statement = `
  with spent as (
    insert into ops.spend as s (listing, run_id, hour, endpoint, region, cost, currency, sent, ${counted})
    select $1, $3, c.hour, c.endpoint, c.region, c.cost, c.currency, c.sent,
      ${counted.map((name) => `coalesce(c.${name}, 0)`)}
    from jsonb_to_recordset($4) as c (hour timestamptz, endpoint text, region text, cost numeric, currency text,
      sent int, ${counted.map((name) => `${name} int`)})
    on conflict on constraint spend_once_an_hour do update
    set cost = s.cost + excluded.cost, currency = excluded.currency, ${added}
  ), late as (
    -- A run that is over has the number of its requests already.
    update ops.run set requests_spent = requests_spent + (
      select coalesce(sum(sent), 0) from jsonb_to_recordset($4) as c (sent int))
    where run_id = $3 and requests_spent is not null
  ), budget as (
    update ops.run_budget set reserved = reserved - $5 where run_id = $3
  ), news as (
    select t.*, at, at + t.resets_ms * interval '1 ms' as resets_at,
      t."limit" is not null and coalesce(t.resets_ms > 0, true) as counts
    from jsonb_to_record($7) as t ("limit" int, remaining int, resets_ms float8), coalesce($8, ops.clock()) as at
  )
  update ops.listing l set
    used = l.used - case when l.month_starts_at < $6::timestamptz + interval '1 ms' then $5 else 0 end,
    last_key = case when $11::timestamptz is null and $12::timestamptz is null then l.last_key else $2 end,
    last_answered = coalesce($10, l.last_answered), last_ok_at = coalesce($11, l.last_ok_at),
    last_error_at = coalesce($12, l.last_error_at), last_error = coalesce($13, l.last_error),
    quota_key = case when news.counts then $2 else l.quota_key end,
    quota_limit = case when news.counts then news."limit" else l.quota_limit end,
    quota_resets_at = case when news.counts then news.resets_at else l.quota_resets_at end,
    quota_seen_at = case when news.counts then news.at else l.quota_seen_at end,
    quota_remaining = case
      when news.counts is not true then l.quota_remaining + case when l.quota_key = $2 then $5 else 0 end
      when l.quota_key is null then least(news.remaining, news."limit" - l.used + $5)
      when $9 or l.quota_key <> $2 or l.quota_limit <> news."limit" then news.remaining
      else least(l.quota_remaining + $5, news.remaining) end,
    month_ends_at = case
      when news.counts and news."limit" >= coalesce($14::bigint, 0) and news.resets_at > news.at + interval '26 hours'
      then least(news.resets_at, l.month_starts_at + interval '31 days', case
        when news.resets_at < l.month_ends_at + interval '1 minute' then l.month_ends_at end) else l.month_ends_at end
  from (select) as one left join news on true
  where l.listing = $1`;
