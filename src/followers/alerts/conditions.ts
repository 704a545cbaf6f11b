import { unreadAsAbandoned } from '../../crawl/run/end.ts';
import { isStopped } from '../../crawl/run/transitions.ts';
import type { Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import type { Deadline } from '../../source/listings/index.ts';

/** A condition that holds now and needs attention. */
export interface Condition {
  readonly kind: string;
  /** Identifies the alert together with its kind: the same condition raises one alert. */
  readonly subject: string;
  /** What happened and what it means, on one line. */
  readonly message: string;
  /** What to do, on one line. */
  readonly advice: string;
}

/** A condition in the ledger, with the upstream's or the system's own words; the run is 0 without one. */
interface Found extends Pick<Condition, 'kind' | 'subject'> {
  readonly runId: number;
  readonly detail: string | null;
}

const release = (runId: number) =>
  `\`pricebook certify --release ${runId} --why TEXT\` (if a later night is published, it suggests a replay instead)`;

const largerPlan = '`pricebook listings` shows when it begins; with a larger plan they continue.';

/** By kind. */
const words: Readonly<Record<string, (found: Found) => readonly [message: string, advice: string]>> = {
  night_partial: ({ subject, runId }) => [
    `${subject}: the night is partial. It is published, but reports no product as gone and is not exported.`,
    `\`pricebook certify --run ${runId}\` says why. Crawl the night again, or, if all its pages were requested, ` +
      `release it with ${release(runId)}; the next night usually repairs it.`,
  ],
  night_held: ({ subject, runId }) => [
    `${subject}: the night is held back, because a check found a likely mistake. Nothing of it is published.`,
    `\`pricebook certify --run ${runId}\` shows the findings. If the data are right, ` +
      `release it with ${release(runId)}.`,
  ],
  night_unchanged: ({ subject, runId }) => [
    `${subject}: nothing has changed for several nights, no price, offer or stock. The upstream may serve an old copy.`,
    `\`pricebook certify --run ${runId}\` has the figures. Compare some prices with the supermarket's own pages.`,
  ],
  night_missed: ({ subject }) => [
    `${subject}: the night was missed: nothing ran when it was due. It cannot be crawled later.`,
    'See that `pricebook schedule` and `pricebook work`, or `pricebook start`, run.',
  ],
  night_expired: ({ subject, runId }) => [
    `${subject}: the night expired: it did not finish before the next one was due. Nothing of it is published.`,
    `\`pricebook runs\` shows run ${runId}, \`pricebook status\` shows what runs wait for.`,
  ],
  night_given_up: ({ subject }) => [
    `${subject}: the night was abandoned: none of its first pages could be read. Nothing of it is published.`,
    `\`pricebook crawl --region ${subject.slice(0, 2)} --despite-drift\` crawls all the same.`,
  ],
  no_worker: ({ subject, runId }) => [
    `${subject}: run ${runId} has work to do, and no worker is alive to do it.`,
    'Start `pricebook work`; finished pages are not requested again.',
  ],
  drift: ({ subject, detail }) => [
    `${subject}: payloads of ${detail} have changed in a way that breaks how they are read.`,
    '`pricebook drift` reports what changed. Mend the parser, then replay the nights.',
  ],
  quota_100: ({ subject }) => [
    `${subject}: the upstream reports that the quota is used up. Runs wait until it is reset.`,
    largerPlan,
  ],
  key_refused: ({ subject, detail }) => [
    `${subject}: the gateway refuses the key${detail === null ? '' : ` (${detail})`}. ` +
      'A request every 15 minutes finds out whether it is accepted again.',
    '`pricebook doctor --ask` shows which variable to correct; waiting runs then continue by themselves.',
  ],
  no_room: ({ detail }) => [
    'A run waits, because a disk is full, the archive cannot be written, or the database is out of resources.',
    detail ?? '',
  ],
};

/**
 * Conditions in the ledger: problems of each region's last night, nights missed since the last certified one, refused
 * keys and used-up quotas, runs without workers or room.
 */
export async function ledgerConditions(sql: Queryable, now: Date): Promise<Condition[]> {
  const found = await camelRows<Found>(sql, selectFound, [now]);
  return found.map((each) => {
    const [message, advice] = words[each.kind]!(each);
    return { kind: each.kind, subject: each.subject, message, advice };
  });
}

/** Workers have five minutes to restart. A run that was abandoned could parse none of the pages that it requested. */
const selectFound = `
  with last as (
    select distinct on (region) region || ' ' || snapshot_date as subject, run_id, status, verdict
    from ops.run
    where status in ('published', 'held', 'expired') or status = 'abandoned' and (
      select bool_or(error <> '${unreadAsAbandoned}') and not bool_or(status = 'done')
      from ops.category_page page where page.run_id = run.run_id)
    order by region, observed_at desc, run_id desc
  ), condition (kind, subject, run_id, detail) as (
    select
      case status
        when 'held' then 'night_held' when 'expired' then 'night_expired' when 'abandoned' then 'night_given_up'
          else 'night_partial'
      end,
      subject, run_id, null
    from last left join ops.certificate c using (run_id)
    where status <> 'published' or (last.verdict = 'partial' and c.released_because is null)
    union all
    select 'night_unchanged', subject, run_id, null
    from last join ops.finding found using (run_id)
    where last.status = 'published' and found.name = 'nothing-changed'
    union all
    select 'night_missed', m.region || ' ' || m.snapshot_date, 0, null
    from marts.missed_night m
    where m.snapshot_date > coalesce(
      (select max(r.snapshot_date) from ops.certified_run r where r.region = m.region), '-infinity')
    union all
    select case state when 'denied' then 'key_refused' else 'quota_100' end, listing, 0, last_error
    from marts.listing_now where state in ('denied', 'quota')
    union all
    select 'no_worker', region || ' ' || snapshot_date, run_id, null
    from ops.run r
    where status = 'open' and not ${isStopped} and started_at < $1::timestamptz - interval '5 minutes'
      and not exists (select from ops.worker where alive_until > clock_timestamp())
    union all
    select 'drift', subject, run_id, string_agg(endpoint, ', ' order by endpoint)
    from ops.payload_drift d
    join (
      select distinct on (region) run_id, region || ' ' || snapshot_date as subject
      from ops.run join ops.payload_drift using (run_id)
      where payloads > 0
      order by region, snapshot_date desc, run_id desc
    ) as examined using (run_id)
    where d.findings @> '[{"severity": "breaking"}]'
    group by subject, run_id
    union all
    (select 'no_room', 'run', 0, detail from ops.stop where scope = 'run' and reason = 'room' order by since limit 1)
  )
  select kind, subject, run_id, detail
  from condition
  order by kind, subject`;

/** Requests of a listing in this month. */
export interface QuotaUsed {
  readonly listing: string;
  readonly used: number;
  /** 0: unlimited; null: unknown. */
  readonly included: number | null;
}

/** Conditions at 80% and 100% of a monthly quota; the second replaces the first. */
export function quotaConditions(quotas: readonly QuotaUsed[]): Condition[] {
  return quotas.flatMap(({ listing: subject, used, included }): Condition[] => {
    if (included === null || included === 0 || used < included * 0.8) return [];
    const spent = `${subject}: ${used} of ${included} requests of this month are used`;
    if (used >= included)
      return [{ kind: 'quota_100', subject, message: `${spent}. Runs wait for the next month.`, advice: largerPlan }];
    const message = `${spent}, ${Math.floor((100 * used) / included)}%.`;
    return [
      { kind: 'quota_80', subject, message, advice: '`pricebook plan` shows for how many nights the rest suffices.' },
    ];
  });
}

export interface WatchedHost {
  readonly listing: string;
  readonly host: string;
  /** Whether this host is the old one; otherwise it may be. */
  readonly isOld: boolean;
  readonly deadline: Deadline | null;
}

/** Hosts that have to be left within 30 days or had to be. */
export function hostConditions(hosts: readonly WatchedHost[]): Condition[] {
  return hosts.flatMap(({ listing: subject, host, isOld, deadline }): Condition[] => {
    if (deadline === null || deadline.state === 'ahead') return [];
    const due = `${deadline.state === 'passed' ? 'had' : 'has'} to be left by ${deadline.leaveBy}`;
    const message = `${subject}: its old host ${isOld ? `${host} ${due}` : `${due}; ${host} may be that host`}.`;
    const advice = '`pricebook listings` names the command that compares the new host and switches.';
    return [{ kind: 'leave_host', subject, message, advice }];
  });
}
