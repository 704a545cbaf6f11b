import { unreadAsAbandoned } from '../../crawl/ledger/end-run.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { AlertKind, Condition } from './condition.ts';

/** Problems of each region's last night, and nights missed since the last certified one. */
export async function nightConditions(sql: Queryable): Promise<Condition[]> {
  const nights = await rowsOf<Night>(sql, selectNights);
  return nights.map((found) => {
    const { kind, region, night } = found;
    const { what, todo } = words[kind];
    return { kind, subject: `${region} ${night}`, says: `${region} ${night}: ${what}`, advice: todo(found) };
  });
}

type NightKind = Extract<AlertKind, `night_${string}`>;

interface Night {
  readonly kind: NightKind;
  readonly region: string;
  readonly night: string;
  /** 0 for a missed night without a run. */
  readonly runId: number;
  /** The run left categories for another night; such a run cannot be released. */
  readonly hasDeferred: boolean;
}

/** The alert may be read after later nights; the command then suggests a replay instead. */
const release = (runId: number) =>
  `\`pricebook certify --release ${runId} --why TEXT\` (if a later night is published, it suggests a replay instead)`;

const words: Readonly<Record<NightKind, { readonly what: string; readonly todo: (night: Night) => string }>> = {
  night_partial: {
    what: 'the night is partial. It is published, but reports no product as gone and is not exported.',
    todo: ({ runId, hasDeferred }) =>
      `\`pricebook certify --run ${runId}\` says why. ${
        hasDeferred
          ? 'It left categories for another night and cannot be released: crawl it again with higher limits'
          : `Crawl the night again, or release it with ${release(runId)}`
      }; the next night usually repairs it.`,
  },
  night_held: {
    what: 'the night is held back, because a check found a likely mistake. Nothing of it is published.',
    todo: ({ runId }) =>
      `\`pricebook certify --run ${runId}\` shows the findings. If the data are right, ` +
      `release it with ${release(runId)}.`,
  },
  night_missed: {
    what: 'the night was missed: nothing ran when it was due. It cannot be crawled later.',
    todo: () => 'See that `pricebook schedule` and `pricebook work`, or `pricebook start`, run.',
  },
  night_expired: {
    what: 'the night expired: it did not finish before the next one was due. Nothing of it is published.',
    todo: ({ runId }) => `\`pricebook runs\` shows run ${runId}, \`pricebook status\` shows what runs wait for.`,
  },
  night_given_up: {
    what: 'the night was abandoned: none of its first pages could be read. Nothing of it is published.',
    todo: ({ region }) => `\`pricebook crawl --region ${region} --despite-drift\` crawls all the same.`,
  },
};

/** SQL: the run requested pages, and none could be parsed. */
const hasReadNothing = `(
      select bool_or(error <> '${unreadAsAbandoned}') and not bool_or(status = 'done')
      from ops.category_page page where page.run_id = run.run_id)`;

const selectNights = `
  with last as (
    select distinct on (region) region, snapshot_date, run_id, observed_at, status, verdict
    from ops.run
    where status in ('published', 'held', 'expired') or status = 'abandoned' and ${hasReadNothing}
    order by region, observed_at desc, run_id desc
  )
  select
    case status
      when 'held' then 'night_held' when 'expired' then 'night_expired' when 'abandoned' then 'night_given_up'
        else 'night_partial'
    end as kind,
    l.region, snapshot_date::text as night, l.run_id as "runId",
    exists (select from ops.category_deferred d where d.run_id = l.run_id) as "hasDeferred"
  from last as l
  left join ops.certificate c using (run_id)
  where status <> 'published' or (l.verdict = 'partial' and c.released_because is null)
  union all
  select 'night_missed', m.region, m.snapshot_date::text, 0, false
  from ops.missed_night m
  where m.snapshot_date > coalesce(
    (select max(r.snapshot_date) from ops.certified_run r where r.region = m.region),
    '-infinity')
  order by kind, region, night`;
