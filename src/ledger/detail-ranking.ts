import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { RegionCode } from '../model/index.ts';
import {
  assumedHint,
  assumedRate,
  auditShare,
  explorationShare,
  fewVisits,
  hintChance,
  leastChance,
  priorChanges,
  urgentShare,
} from '../plan/refresh-value.ts';

/**
 * SQL: changes a day of a product, by its visits and the rate of its category: a Gamma prior around that rate, updated. Where changes
 * were found, an interval of many days that found one may hide more (Cho and Garcia-Molina, TOIT 2003), which the logarithm allows for.
 */
const sqlChangeRate = (categoryRate: string) => `(
  select case when v.changes = 0 or v.changed_days = 0 then q.rate
    else ln(1 + q.rate * v.changed_days / v.changes) * v.changes / v.changed_days end
  from (select (v.changes + ${priorChanges}) / (v.quiet_days + ${priorChanges} / ${categoryRate})) as q (rate))`;
/** SQL: how likely details have changed since they were read: by their age, and by what the listing gave away. */
const sqlChance = (rate: string, age: string, hint: string) => `1 - (1 - ${hint}) * exp(-${rate} * ${age})`;
/**
 * SQL: what a refresh is worth: how much weighted freshness it brings per request (Azar et al., PNAS 2018: at the optimum all are
 * equal). Fast changers that are stale again at once are worth little.
 */
const sqlValue = (weight: string, rate: string, chance: string) => `
  ${weight} / ${rate} * (least(${chance}, 1 - 1e-9) + ln(1 - least(${chance}, 1 - 1e-9)) * (1 - least(${chance}, 1 - 1e-9)))`;

export interface RankingNeeds {
  readonly region: RegionCode;
  /** The instant that ages are counted to. */
  readonly at: Date;
  /** The run whose pages are all read; null: the night is still ahead, and goes by what is listed now. */
  readonly runId: number | null;
  /** Details that may be asked for in all. */
  readonly limit: number;
  readonly maxAgeDays: number;
  /** What chance is drawn by: the same words, the same draw. */
  readonly seed: string;
}

/** What was found worth a request and what was chosen of it. */
export interface Ranked {
  readonly wanted: number;
  readonly chosen: number;
  /** Products whose details are known and that were not chosen, before some were drawn by chance. */
  readonly leftOut: number;
}

/**
 * Ranks the products of a region by what asking for their details is worth and chooses up to a limit. Leaves two temporary tables:
 * `detail_candidate`, a row a listed product (`value`, `chance`, `age_days`, `rate`, `hint`; `is_urgent`: waiting longer would let it
 * become older than allowed), and `detail_choice` (product_id, reason, place, chance, age_days).
 */
export async function rankDetails(tx: Askable, needs: RankingNeeds): Promise<Ranked> {
  const { runId, limit, maxAgeDays, seed } = needs;
  await fillCandidates(tx, needs);
  const [counted] = await rowsOf<{ without: number }>(
    tx,
    `select (count(*) filter (where is_new))::int as without from detail_candidate`,
  );
  const { chosen: chosenBefore, isRanked } = await countChosen(tx, runId);
  const left = Math.max(0, limit - chosenBefore);
  const forNew = Math.min(left, counted!.without);
  const forOthers = left - forNew;
  // What is drawn by chance is little of the whole night, and nothing of one that has no request to spare.
  const audits = isRanked ? 0 : Math.min(forOthers, Math.ceil(limit * auditShare));
  const explorations = isRanked ? 0 : Math.min(forOthers - audits, Math.ceil(forOthers * explorationShare));
  const refreshes = forOthers - audits - explorations;
  await tx.query(
    `with old as (
       select product_key, age_days, row_number() over (order by age_days desc, product_key) as place
       from detail_candidate where not is_new
     ), due as (
       select max(place - $1 * greatest(0, floor($2 - age_days))) as products from old
     )
     update detail_candidate c set is_urgent = true
     from old cross join due
     where c.product_key = old.product_key and not c.is_new and old.place <= least(due.products, ceil($1::float8))`,
    [refreshes * urgentShare, maxAgeDays],
  );
  await tx.query(
    `create temporary table detail_choice on commit drop as
     select product_id, 'new'::text as reason, chance, age_days, row_number() over (order by product_id) as place
     from (select * from detail_candidate where is_new order by product_id limit ${forNew}) as unknown
     union all
     select product_id, case when is_urgent then 'overdue' else coalesce(hint, 'refresh') end, chance, age_days,
       ${forNew} + row_number() over (order by is_urgent desc, value desc, product_id)
     from (
       select * from detail_candidate where not is_new and (is_urgent or chance >= ${leastChance})
       order by is_urgent desc, value desc, product_id limit ${refreshes}
     ) as worth`,
  );
  await tx.query('analyze detail_choice');
  const [rest] = await rowsOf<{ wanted: number; leftOut: number }>(
    tx,
    `select (count(*) filter (where is_new or is_urgent or chance >= ${leastChance}))::int as wanted,
       (count(*) filter (where not is_new and not exists (select from detail_choice d where d.product_id = c.product_id)))::int as "leftOut"
     from detail_candidate c`,
  );
  await draw(tx, 'audit', audits, 'true', seed);
  await draw(tx, 'explore', explorations, `c.visits < ${fewVisits}`, seed);
  const [choice] = await rowsOf<{ chosen: number }>(tx, 'select count(*)::int as chosen from detail_choice');
  return { wanted: rest!.wanted + chosenBefore, chosen: choice!.chosen + chosenBefore, leftOut: rest!.leftOut };
}

/** Products by chance of those whose details are known and that are not chosen yet. */
async function draw(tx: Askable, reason: string, count: number, which: string, seed: string): Promise<void> {
  if (count === 0) return;
  await tx.query(
    `insert into detail_choice (product_id, reason, chance, age_days, place)
     select product_id, $1, chance, age_days, (select coalesce(max(place), 0) from detail_choice) + row_number() over ()
     from detail_candidate c
     where not is_new and ${which} and not exists (select from detail_choice d where d.product_id = c.product_id)
     order by md5($2 || '/' || $1 || '/' || product_id), product_id limit $3`,
    [reason, seed, count],
  );
}

/** What is chosen already: wished for, or ranked before a repair found more products. */
async function countChosen(
  tx: Askable,
  runId: number | null,
): Promise<{ readonly chosen: number; readonly isRanked: boolean }> {
  if (runId === null) return { chosen: 0, isRanked: false };
  const [row] = await rowsOf<{ chosen: number; isRanked: boolean }>(
    tx,
    `select count(*)::int as chosen, coalesce(bool_or(reason = 'new' or chance is not null), false) as "isRanked"
     from ops.detail_fetch where run_id = $1 and reason not in ('missing', 'delist')`,
    [runId],
  );
  return row!;
}

async function fillCandidates(tx: Askable, { region, at, runId }: RankingNeeds): Promise<void> {
  const hints = await readHints(tx, region);
  await tx.query(`set local work_mem = '64MB'`);
  for (const table of ['detail_listed', 'detail_candidate', 'detail_choice', 'category_rate']) {
    await tx.query(`drop table if exists pg_temp.${table}`);
  }
  await tx.query(
    `create temporary table detail_listed on commit drop as ${runId === null ? listedNow(region) : listedBy(runId)}`,
  );
  await tx.query('analyze detail_listed');
  const [region_] = await rowsOf<{ rate: number }>(
    tx,
    `select (coalesce(sum(v.changes), 0) + 1) / (coalesce(sum(v.quiet_days + v.changed_days), 0)::float8 + ${1 / assumedRate}) as rate
     from detail_listed join ops.detail_visit v using (product_key)`,
  );
  await tx.query(
    `create temporary table category_rate on commit drop as
     select home.product_key, (sum(v.changes) over (partition by home.category_key) + 1)
       / (sum(v.quiet_days + v.changed_days) over (partition by home.category_key) + ${1 / region_!.rate})::float8 as rate
     from (select product_key, min(category_key) as category_key from catalog.product_category where valid_to is null group by product_key) as home
     join detail_listed using (product_key) join ops.detail_visit v using (product_key)`,
  );
  await tx.query('analyze category_rate');
  await tx.query(
    `create temporary table detail_candidate on commit drop as
     select judged.*, ${sqlValue('weight', 'rate', 'chance')} as value, false as is_urgent
     from (
       select known.*, ${sqlChance('rate', 'age_days', 'hint_chance')} as chance
       from (
         select p.product_key, p.product_id, false as is_new, v.visits,
           greatest(0, extract(epoch from $1::timestamptz - v.visited_at)::float8 / 86400) as age_days,
           case when p.is_for_sale then 1 else 0.5 end::float8 as weight,
           ${sqlChangeRate(`coalesce(c.rate, ${region_!.rate})`)}::float8 as rate,
           hinted.hint, case hinted.hint when 'tile' then ${hints.tile} when 'changed' then ${hints.changed} else 0 end::float8 as hint_chance
         from detail_listed l
         join catalog.product p using (product_key)
         join ops.detail_visit v using (product_key)
         left join category_rate c using (product_key)
         cross join lateral (select case when p.valid_from > v.visited_at then 'tile' else l.hint end) as hinted (hint)
       ) as known
     ) as judged`,
    [at],
  );
  await tx.query(
    `insert into detail_candidate (product_key, product_id, is_new)
     select l.product_key, p.product_id, true
     from detail_listed l join catalog.product p using (product_key)
     where not exists (select from ops.detail_visit v where v.product_key = l.product_key)`,
  );
  if (runId !== null) {
    await tx.query(
      `insert into detail_candidate (product_id, is_new)
       select distinct product_id, true from stage.listing where run_id = $1 and product_key is null`,
      [runId],
    );
    await tx.query(
      `delete from detail_candidate c using ops.detail_fetch d where d.run_id = $1 and d.product_id = c.product_id`,
      [runId],
    );
  }
  await tx.query('analyze detail_candidate');
}

const listedNow = (region: RegionCode): string => `
  select n.product_key, null::text as hint
  from catalog.product_current n join catalog.product p using (product_key)
  where p.region = '${region}' and n.availability in ('available', 'unavailable')`;

/** What a run's pages showed of products that the catalogue knows, and what of their listing differs from it. */
const listedBy = (runId: number): string => `
  select product_key, max(hint) as hint
  from (
    select seen.product_key, null as hint
    from ops.category_page page cross join lateral unnest(page.seen_keys) as seen (product_key) where page.run_id = ${runId}
    union all
    select s.product_key, case
      when (s.tpnb, s.gtin, s.title, s.brand, s.image_url) is distinct from (p.tpnb, p.gtin, p.title, p.brand, p.image_url) then 'tile'
      else 'changed' end
    from stage.listing s join catalog.product p using (product_key) where s.run_id = ${runId}
  ) as shown
  group by product_key`;

/** Nights whose visits say what hints are worth, and what the plan misses. */
export const nightsOfYield = 30;

async function readHints(
  tx: Askable,
  region: RegionCode,
): Promise<{ readonly tile: number; readonly changed: number }> {
  const rows = await rowsOf<{ reason: string; visits: number; changes: number }>(
    tx,
    `select y.reason, sum(y.visits)::int as visits, sum(y.changes)::int as changes
     from ops.detail_yield y
     join (select run_id from ops.run where region = $1 and status = 'published' order by observed_at desc limit $2) as r using (run_id)
     where y.reason in ('tile', 'changed') group by y.reason`,
    [region, nightsOfYield],
  );
  const of = (reason: 'tile' | 'changed') =>
    hintChance(rows.find((row) => row.reason === reason) ?? { visits: 0, changes: 0 }, assumedHint[reason]);
  return { tile: of('tile'), changed: of('changed') };
}
