import type { Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Price ratios outside these bounds do not compare one article; they are counted but excluded. */
const fences = { least: 0.1, most: 10 } as const;

/** Dates with a night certified in both regions: their number, and first and last instants. */
interface Span {
  readonly nights: number;
  readonly ukFirst: Date;
  readonly ukLast: Date;
  readonly ieFirst: Date;
  readonly ieLast: Date;
}

/**
 * Creates `price_ratio`: prices of the pairs in `changed_pair` over the dates of `compared_night`, as intervals of
 * night numbers. Null without dates; the table is then missing.
 */
export async function collectPriceRatios(tx: Transaction): Promise<Span | null> {
  await tx.query('analyze changed_pair, compared_night');
  const [span] = await rowsOf<Span>(
    tx,
    `select count(*)::int as nights, min(uk_at) as "ukFirst", max(uk_at) as "ukLast", min(ie_at) as "ieFirst",
       max(ie_at) as "ieLast"
     from compared_night`,
  );
  if (span!.nights === 0) return null;
  await tx.query('drop table if exists pg_temp.uk_price_spell, pg_temp.ie_price_spell, pg_temp.price_ratio');
  await collectSpells(tx, 'uk', span!.nights, span!.ukFirst, span!.ukLast);
  await collectSpells(tx, 'ie', span!.nights, span!.ieFirst, span!.ieLast);
  await tx.query('analyze uk_price_spell, ie_price_spell');
  await tx.query(`
    create temporary table price_ratio on commit drop as
    select pair.*, uk.price_minor as uk_price_minor, ie.price_minor as ie_price_minor,
      greatest(uk.from_no, ie.from_no) as from_no, least(uk.to_no, ie.to_no) as to_no
    from changed_pair pair
    join uk_price_spell uk on uk.product_key = pair.uk_product_key
    join ie_price_spell ie on ie.product_key = pair.ie_product_key and ie.from_no < uk.to_no
      and ie.to_no > uk.from_no`);
  await tx.query('analyze price_ratio');
  return span!;
}

/**
 * Adds the signed contents of `price_ratio` to the sums of dates in `compared_night`. A ratio is one difference at its
 * start and one at its end, so the cost depends on the number of changes.
 */
export async function addPriceRatios(tx: Transaction, { nights, ukFirst, ukLast }: Span): Promise<void> {
  await tx.query(addSums, [nights, ukFirst, ukLast]);
}

/** SQL: number of the first night at or after an instant; the number of nights if there is none. */
const nightNo = (instant: string, region: 'uk' | 'ie'): string =>
  `width_bucket(${instant} - interval '1 microsecond',
     (select array_agg(${region}_at order by night_no) from compared_night))`;

/** A region's last night is read from current rows instead of whole histories. */
async function collectSpells(
  tx: Transaction,
  region: 'uk' | 'ie',
  nights: number,
  first: Date,
  last: Date,
): Promise<void> {
  const [later] = await rowsOf<{ isLast: boolean }>(
    tx,
    `select not exists (
       select from ops.published_run where region = $1 and observed_at > $2) as "isLast"`,
    [region, last],
  );
  if (nights === 1 && later!.isLast) await tx.query(currentSpells(region));
  else await tx.query(priceSpells(region), [first, last]);
}

/** SQL: prices of the pairs' products on a single night. */
const currentSpells = (region: 'uk' | 'ie'): string => `
  create temporary table ${region}_price_spell on commit drop as
  select product_key, price_minor, 0 as from_no, 1 as to_no
  from (select distinct ${region}_product_key as product_key from changed_pair) as changed
  join catalog.product_current c using (product_key)
  where c.price_minor > 0 and c.availability in ('available', 'unavailable')`;

/** SQL: price intervals of the pairs' products in night numbers. */
function priceSpells(region: 'uk' | 'ie'): string {
  return `
    create temporary table ${region}_price_spell on commit drop as
    select product_key, price_minor, from_no, to_no
    from (
      select price.product_key, price.price_minor,
        ${nightNo('greatest(listed.valid_from, price.valid_from)', region)} as from_no,
        ${nightNo("least(listed.valid_to, price.valid_to, $2 + interval '1 second')", region)} as to_no
      from (select distinct ${region}_product_key as product_key from changed_pair) as changed
      join catalog.price_spell price
        on price.product_key = changed.product_key and price.price_minor > 0
        and price.valid_from <= $2 and (price.valid_to is null or price.valid_to > $1)
      join catalog.availability_spell listed
        on listed.product_key = changed.product_key and listed.availability in ('available', 'unavailable')
        and listed.valid_from <= $2 and (listed.valid_to is null or listed.valid_to > $1)
        and listed.valid_from < coalesce(price.valid_to, 'infinity')
        and price.valid_from < coalesce(listed.valid_to, 'infinity')
    ) as spell
    where from_no < to_no`;
}

const addSums = `
  insert into derived.region_jevons as kept (category_key, snapshot_date, matched, left_out, log_sum)
  with ratio as (
    select uk_product_key, sign, from_no, to_no,
      ie_price_minor >= uk_price_minor * ${fences.least}
        and ie_price_minor <= uk_price_minor::bigint * ${fences.most} as is_kept,
      (ln(ie_price_minor::float8 / uk_price_minor) * 1e12)::bigint as log_ratio
    from price_ratio
  ), department as (
    -- A product can be in several categories of one department, at overlapping times.
    select product_key, category_key, lower(spell) as from_no, upper(spell) as to_no
    from (
      select member.product_key, top.category_key, range_agg(int4range(
        ${nightNo('member.valid_from', 'uk')},
        ${nightNo(`coalesce(member.valid_to, $3 + interval '1 second')`, 'uk')})) as spells
      from (select distinct uk_product_key from changed_pair) as changed
      join catalog.product_category member
        on member.product_key = changed.uk_product_key and member.valid_from <= $3
          and (member.valid_to is null or member.valid_to > $2)
      join catalog.category_ancestor above on above.category_key = member.category_key
      join catalog.category top on top.category_key = above.ancestor_key and top.depth = 0
      group by member.product_key, top.category_key
    ) as membership, unnest(spells) as spell
    union all
    select distinct uk_product_key, 0, 0, $1::int from changed_pair
  ), counted as (
    select d.category_key, greatest(r.from_no, d.from_no) as from_no, least(r.to_no, d.to_no) as to_no, r.sign,
      r.is_kept,
      case when r.is_kept then r.log_ratio * r.sign else 0 end as log_ratio
    from ratio r
    join department d on d.product_key = r.uk_product_key and d.from_no < r.to_no and d.to_no > r.from_no
  ), difference as (
    select category_key, night_no, sum(matched) as matched, sum(left_out) as left_out, sum(log_sum) as log_sum
    from (
      select category_key, from_no as night_no, sign * is_kept::int as matched, sign * (not is_kept)::int as left_out,
        log_ratio as log_sum
      from counted
      union all
      select category_key, to_no, - sign * is_kept::int, - sign * (not is_kept)::int, - log_ratio from counted
    ) as both_ends
    group by category_key, night_no
  ), running as (
    select category.category_key, night.snapshot_date,
      coalesce(sum(matched) over so_far, 0)::int as matched, coalesce(sum(left_out) over so_far, 0)::int as left_out,
      coalesce(sum(log_sum) over so_far, 0)::bigint as log_sum
    from (select distinct category_key from difference union select 0) as category
    cross join compared_night night
    left join difference on difference.category_key = category.category_key and difference.night_no = night.night_no
    window so_far as (partition by category.category_key order by night.night_no)
  )
  select category_key, snapshot_date, matched, left_out, log_sum
  from running
  where category_key = 0 or (matched, left_out, log_sum) <> (0, 0, 0)
  on conflict (category_key, snapshot_date) do update set
    matched = kept.matched + excluded.matched, left_out = kept.left_out + excluded.left_out,
    log_sum = kept.log_sum + excluded.log_sum
  where (excluded.matched, excluded.left_out, excluded.log_sum) <> (0, 0, 0)`;
