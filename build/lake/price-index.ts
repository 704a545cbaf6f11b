import type { Dialect } from './dialects.ts';
import { ratio, statements, view, weekOf } from './views.ts';

const monthOf = (date: string) => `cast(date_trunc('month', ${date}) as date)`;

/** Columns of a view that keep their names. */
const columns = (from: string, names: readonly string[]) =>
  names.map((name) => `${from}.${name} as ${name}`).join(', ');
/** Join condition. */
const same = (one: string, other: string, names: readonly string[]) =>
  names.map((name) => `${one}.${name} = ${other}.${name}`).join(' and ');

const regionPeriod = ['region', 'period'];
const series = [...regionPeriod, 'path', 'basis'];

const ln = (price: string) => `case when ${price} > 0 then ln(${price}) end`;

/**
 * Tables that answer `marts.price_index`, each computed from those before it. Periods are numbered by `place`. Only the
 * first reads the lake.
 */
export function priceIndex(d: Dialect): string[] {
  const zero = d.double('0');
  const compared = (basis: string) => {
    const relative = `later.${basis} - earlier.${basis}`;
    // As for official statistics, relatives outside 0.1 to 10 do not count.
    const isKept = `abs(${relative}) <= ln(10) + 1e-12`;
    return `
  sum(case when ${isKept} then 1 else 0 end) as ${basis}_matched,
  sum(case when ${isKept} then ${relative} else 0 end) as ${basis}_moved,
  sum(later.${basis}_mean) as ${basis}_total`;
  };
  /** Comparisons of two periods by the sets of categories of the products. */
  const pairs = (condition: string, joins = '') => `
select ${columns('later', regionPeriod)}, earlier.place as since, later.place as until,
  earlier.categories as categories_before, later.categories as categories,
  count(*) as on_both,${compared('shelf')},${compared('member')}
from lake.index_panel as earlier
join lake.index_panel as later
  on ${same('later', 'earlier', [...regionPeriod, 'product_key'])}
${joins}where ${condition}
group by later.region, later.period, earlier.place, later.place, earlier.categories, later.categories`;
  /** Comparisons by category and price basis. */
  const links = (from: string) =>
    ['shelf', 'member']
      .map(
        (basis) => `
select ${columns('pair', regionPeriod)}, s.path as path, '${basis}' as basis, pair.since as since,
  pair.until as until, sum(pair.on_both) as on_both, sum(pair.${basis}_matched) as matched,
  sum(pair.${basis}_moved) / nullif(sum(pair.${basis}_matched), 0) as move, sum(pair.${basis}_total) as total
from (${from}) as pair
join lake.category_set as s on s.categories = pair.categories
join lake.category_set as b on b.categories = pair.categories_before and b.path = s.path
group by pair.region, pair.period, s.path, pair.since, pair.until`,
      )
      .join('\nunion all');
  const table = (name: string, query: string) => d.create(`lake.index_${name}`, query);
  return [
    table(
      'period',
      `
select region, period, period_start, nights, last_night, ${d.long('periods_in_window')} as window_size,
  row_number() over (partition by region, period order by period_start) as place,
  count(*) over (partition by region, period) as places
from (
  select night.region as region, p.period as period, p.periods_in_window as periods_in_window,
    ${startOf('night.snapshot_date')} as period_start, count(*) as nights, max(night.snapshot_date) as last_night
  from lake.night as night
  cross join lake.index_choice as p
  group by night.region, p.period, p.periods_in_window, ${startOf('night.snapshot_date')}
) as counted`,
    ),
    // Mean prices of products; a product has the categories of its last night with a price.
    table(
      'panel',
      `
select mean.region as region, mean.period as period, p.place as place, p.window_size as window_size,
  mean.product_key as product_key, v.categories as categories,
  mean.shelf_mean as shelf_mean, mean.member_mean as member_mean,
  ${ln('mean.shelf_mean')} as shelf, ${ln('mean.member_mean')} as member
from (
  select o.region as region, p.period as period, ${startOf('o.snapshot_date')} as period_start,
    o.product_key as product_key, max(o.snapshot_date) as last_night,
    sum(o.cents) / ${d.double('count(*)')} as shelf_mean,
    sum(coalesce(o.loyalty_cents, o.cents)) / ${d.double('count(*)')} as member_mean
  from lake.offer as o
  cross join lake.index_choice as p
  where o.cents >= 0
  group by o.region, p.period, ${startOf('o.snapshot_date')}, o.product_key
) as mean
join lake.index_period as p on ${same('p', 'mean', [...regionPeriod, 'period_start'])}
join lake.product_spell as v
  on v.region = mean.region and v.product_key = mean.product_key and v.valid_from <= mean.last_night
  and v.valid_to > mean.last_night`,
    ),
    table('pair', pairs('later.place >= earlier.place and later.place - earlier.place < later.window_size')),
    table('link', links('select * from lake.index_pair')),
    // Rows of a series, numbered within it, with the latest earlier period that they can be compared with.
    table(
      'step',
      `
select ${columns('own', series)}, own.until as place, own.on_both as priced, own.total as total,
  latest.linked as linked, link.matched as matched, link.on_both - link.matched as outliers, link.move as move,
  row_number() over (partition by own.region, own.period, own.path, own.basis order by own.until) as row_no
from lake.index_link as own
left join (
  select region, period, path, basis, until, max(since) as linked
  from lake.index_link
  where since < until and matched > 0
  group by region, period, path, basis, until
) as latest on ${same('latest', 'own', [...series, 'until'])}
left join lake.index_link as link on ${same('link', 'latest', [...series, 'until'])} and link.since = latest.linked
where own.since = own.until`,
    ),
    // Chained values, and the first period of each series.
    table(
      'chain',
      `
select ${columns('step', series)}, step.place as place, step.priced as priced, step.total as total,
  step.matched as matched, step.outliers as outliers, step.row_no as row_no, p.window_size as window_size,
  ${d.at('walked.chained', 'step.row_no')} as chained, ${d.long(d.at('walked.bases', 'step.row_no'))} as base
from lake.index_step as step
join lake.index_period as p on ${same('p', 'step', [...regionPeriod, 'place'])}
join (
  select region, period, path, basis, ${d.walk('row_no', zero, 'chain_steps')} as chained,
    ${d.walk('row_no', d.double('place'), 'base_steps')} as bases
  from (
    select ${columns('step', series)}, step.row_no as row_no, step.place as place,
      ${d.steps('linked.row_no', 'step.move')} as chain_steps,
      ${d.steps('linked.row_no', zero)} as base_steps
    from lake.index_step as step
    left join lake.index_step as linked on ${same('linked', 'step', series)} and linked.place = step.linked
    group by step.region, step.period, step.path, step.basis, step.row_no, step.place
  ) as stepped
  group by region, period, path, basis
) as walked on ${same('walked', 'step', series)}`,
    ),
    // Comparisons in both directions.
    table(
      'jevons',
      `
select region, period, path, basis, since as other, until as place, move from lake.index_link
where since < until and matched > 0
union all
select region, period, path, basis, until, since, -move from lake.index_link where since < until and matched > 0
union all
select region, period, path, basis, since, until, ${zero} from lake.index_link where since = until`,
    ),
    // Until its base leaves the window, a series is computed as a whole; after that, each value follows from earlier
    // ones.
    table(
      'geks',
      `
select ${columns('chain', series)}, chain.place as place, ${d.at('walked.seen', 'chain.row_no')} as geks
from lake.index_chain as chain
join (
  select region, period, path, basis, ${d.walk('row_no', 'begun', 'later_steps')} as seen
  from (
    select region, period, path, basis, row_no, max(begun) as begun, ${d.steps('from_row', 'moved')} as later_steps
    from (
      select ${columns('c', series)}, c.row_no as row_no, nullif(c.row_no, c.row_no) as from_row, ${zero} as moved,
        case when c.place = c.base then ${zero} else avg(t.move - f.move) end as begun
      from lake.index_chain as c
      join lake.index_jevons as t on ${same('t', 'c', [...series, 'place'])}
      join lake.index_jevons as f on ${same('f', 'c', series)} and f.place = c.base and f.other = t.other
      where c.place - c.base < c.window_size and t.other - c.base < c.window_size
      group by c.region, c.period, c.path, c.basis, c.row_no, c.place, c.base
      union all
      select ${columns('c', series)}, c.row_no, s.row_no, avg(t.move - f.move), ${zero}
      from lake.index_chain as c
      join lake.index_chain as s on ${same('s', 'c', [...series, 'base'])}
      join lake.index_jevons as t on ${same('t', 'c', [...series, 'place'])}
      join lake.index_jevons as f on ${same('f', 's', [...series, 'place'])} and f.other = t.other
      where c.place - c.base >= c.window_size and s.place < c.place and c.place - s.place < c.window_size
        and t.other <= c.place and c.place - t.other < c.window_size
      group by c.region, c.period, c.path, c.basis, c.row_no, s.row_no
    ) as moves
    group by region, period, path, basis, row_no
  ) as stepped
  group by region, period, path, basis
) as walked on ${same('walked', 'chain', series)}`,
    ),
    // Comparisons with the base period, also if it has left the window.
    table(
      'fixed',
      `
select region, period, path, basis, since, until, matched, move from lake.index_link
union all
select region, period, path, basis, since, until, matched, move
from (${links(
        pairs(
          'later.place - earlier.place >= later.window_size',
          `join (
  select distinct region, period, base from lake.index_chain where place - base >= window_size
) as far on ${same('far', 'earlier', regionPeriod)} and far.base = earlier.place
`,
        ),
      )}
) as far`,
    ),
    view('marts.price_index', methods.map((method) => rows(d, method)).join('\nunion all')),
  ];
}

/** First day of the period of a date. */
const startOf = (date: string) => `case p.period when 'day' then ${date} when 'week' then ${weekOf(date)}
      else ${monthOf(date)} end`;

const days = (period: string, date: string) =>
  `case ${period} when 'day' then 1 when 'week' then 7 else dayofmonth(last_day(${date})) end`;

const methods = ['jevons_chained', 'jevons_fixed', 'geks_jevons', 'mean_price'] as const;

function rows(d: Dialect, method: (typeof methods)[number]): string {
  const isBase = 'chain.place = chain.base';
  const linked = `case when ${isBase} then chain.priced else coalesce(chain.matched, 0) end`;
  const outliers = `case when ${isBase} then 0 else coalesce(chain.outliers, 0) end`;
  const { value, matched, join, isLinked } = {
    jevons_chained: { value: 'exp(chain.chained)', matched: linked, join: '', isLinked: true },
    jevons_fixed: {
      value: `case when ${isBase} then 1 else exp(fixed.move) end`,
      matched: `case when ${isBase} then chain.priced else coalesce(fixed.matched, 0) end`,
      join: `left join lake.index_fixed as fixed
  on ${same('fixed', 'chain', series)} and fixed.until = chain.place and fixed.since = chain.base`,
      isLinked: false,
    },
    geks_jevons: {
      value: 'exp(geks.geks)',
      matched: linked,
      join: `left join lake.index_geks as geks on ${same('geks', 'chain', [...series, 'place'])}`,
      isLinked: true,
    },
    mean_price: {
      value: '(chain.total / chain.priced) / (base.total / base.priced)',
      matched: 'chain.priced',
      join: `join lake.index_chain as base on ${same('base', 'chain', series)} and base.place = chain.base`,
      isLinked: false,
    },
  }[method];
  const isOver = `(p.place < p.places or ${startOf('(p.last_night + interval 1 day)')} > p.period_start)`;
  const isFinal = method === 'geks_jevons' ? `${isOver} and chain.base <= p.places - p.window_size` : isOver;
  const share = `(${matched}) / ${d.double('chain.priced')}`;
  return `
select chain.region as region, case when chain.path <> '' then chain.path end as category_path,
  chain.period as period, p.period_start as period_start, '${method}' as method, chain.basis as price_basis,
  b.period_start as base_start, 100 * ${value} as value, ${matched} as matched_products,
  ${isLinked ? outliers : 'nullif(chain.place, chain.place)'} as outliers,
  case when chain.place > 1 then chain.priced - coalesce(previous.on_both, 0) end as arrivals,
  case when chain.place > 1 then coalesce(before.priced, 0) - coalesce(previous.on_both, 0) end as departures,
  p.nights as nights, ${d.boolean(`p.nights = ${days('p.period', 'p.period_start')}`)} as is_complete,
  ${d.boolean(`b.nights = ${days('b.period', 'b.period_start')}`)} as is_base_complete,
  ${d.boolean(isFinal)} as is_final,
  ${ratio(d, matched, 'chain.priced', 4)} as matched_share,
  ${d.boolean(`${matched} < 10 or ${share} < 0.25`)} as is_thin
from lake.index_chain as chain
join lake.index_period as p on ${same('p', 'chain', [...regionPeriod, 'place'])}
join lake.index_period as b on ${same('b', 'chain', regionPeriod)} and b.place = chain.base
left join lake.index_chain as before on ${same('before', 'chain', series)} and before.place = chain.place - 1
left join lake.index_link as previous
  on ${same('previous', 'chain', series)} and previous.until = chain.place and previous.since = chain.place - 1
${join}`;
}

/** The file that computes price indices. */
export function indexTables(d: Dialect): string {
  const choice = `
select period, periods_in_window
from (
  select 'day' as period, 29 as periods_in_window
  union all select 'week', 25
  union all select 'month', 25
) as periods
where period in ('day', 'week', 'month')`;
  return `-- Generated from build/lake; do not edit.
-- Computes marts.price_index over the views of this folder; run it again after new nights. The first statement
-- names the periods: remove those that you do not need. Days take by far the longest.
${statements(d, [view('lake.index_choice', choice), ...priceIndex(d)])}
`;
}
