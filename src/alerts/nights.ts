import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { AlertKind, Condition } from './condition.ts';

/** Of each region the last night that ended, where it is not what it should be, and nights that were missed since the last certified one. */
export async function nightConditions(sql: Askable): Promise<Condition[]> {
  const nights = await rowsOf<Night>(sql, selectNights);
  return nights.map(({ kind, region, night, runId }) => {
    const { what, todo } = words[kind];
    return { kind, subject: `${region} ${night}`, says: `${region} ${night}: ${what}`, advice: todo(runId) };
  });
}

type NightKind = Extract<AlertKind, `night_${string}`>;

interface Night {
  readonly kind: NightKind;
  readonly region: string;
  readonly night: string;
  /** 0 for a missed night, which has no run. */
  readonly runId: number;
}

const words: Readonly<Record<NightKind, { readonly what: string; readonly todo: (runId: number) => string }>> = {
  night_partial: {
    what: 'the night is partial. What it saw is published; nothing was said to be gone, and it is not exported.',
    todo: (runId) =>
      `\`pricebook certify --run ${runId}\` says why. Crawl the night again, or release it with \`pricebook certify --release ${runId} --why TEXT\`; the next night usually repairs it.`,
  },
  night_held: {
    what: 'the night is held back: a check found what looks like a mistake. Nothing of it is published.',
    todo: (runId) =>
      `\`pricebook certify --run ${runId}\` says what was found. Release it with \`pricebook certify --release ${runId} --why TEXT\` if the upstream is right.`,
  },
  night_missed: {
    what: 'the night was missed: nothing ran when it was due. It is not made up for.',
    todo: () => 'See that `pricebook schedule` and `pricebook work`, or `pricebook start`, run.',
  },
  night_expired: {
    what: 'the night expired: it could not end before the next one was due. Nothing of it is published.',
    todo: (runId) => `\`pricebook runs\` shows run ${runId}, \`pricebook status\` what nights wait for.`,
  },
};

const selectNights = `
  with last as (
    select distinct on (region) region, snapshot_date, run_id, observed_at, status, verdict
    from ops.run
    where status in ('published', 'held', 'expired')
    order by region, observed_at desc, run_id desc
  )
  select
    case status when 'held' then 'night_held' when 'expired' then 'night_expired' else 'night_partial' end as kind,
    l.region, snapshot_date::text as night, l.run_id as "runId"
  from last as l
  left join ops.certificate c using (run_id)
  where status <> 'published' or (l.verdict = 'partial' and c.released_because is null)
  union all
  select 'night_missed', m.region, m.snapshot_date::text, 0
  from ops.missed_night m
  where m.snapshot_date > coalesce(
    (select max(r.snapshot_date) from ops.run r where r.region = m.region and r.status = 'published' and r.verdict <> 'partial'),
    '-infinity')
  order by kind, region, night`;
