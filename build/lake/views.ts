import type { Dialect } from './dialects.ts';

const tables = ['prices', 'products', 'promotions', 'price_changes'];

/** Views with the names and columns of the marts, as one SQL file. */
export function lakeViews(dialect: Dialect): string {
  const { head, table, createSchema } = dialect;
  return `-- Generated from build/lake; do not edit.
${head}

${createSchema} lake;

${createSchema} marts;

${statements(dialect, [
  ...tables.map((name) => view(`lake.${name}`, table(name))),
  ...states(dialect),
  ...catalogue(dialect),
  ...figures(dialect),
  promotions,
])}
`;
}

const statements = ({ settings }: Dialect, queries: readonly string[]): string =>
  queries.map((query) => wrapped(`${query.trimEnd()}${settings};`)).join('\n\n');

/** Breaks long lines at spaces outside of texts. */
function wrapped(text: string): string {
  return text.split('\n').map(wrappedLine).join('\n');
}

function wrappedLine(line: string): string {
  if (line.length <= longestLine) return line;
  const indent = `${/^ */.exec(line)![0]}  `;
  const isOutside = (at: number) => line.slice(0, at).split("'").length % 2 === 1;
  let at = line.lastIndexOf(' ', longestLine);
  while (!isOutside(at)) at = line.lastIndexOf(' ', at - 1);
  return `${line.slice(0, at)}\n${wrappedLine(indent + line.slice(at + 1))}`;
}

const longestLine = 120;

const view = (name: string, query: string): string => `create or replace view ${name} as\n${query.trim()}`;

/** `amount / count` of integers that are not negative, rounded half up to some digits. */
const ratio = (d: Dialect, amount: string, count: string, digits: number): string =>
  d.decimal(
    `${d.long(`floor((${2 * 10 ** digits} * (${amount}) + ${count}) / (2 * ${count}))`)} * ` +
      d.decimal(`'${(10 ** -digits).toFixed(digits)}'`, digits),
    digits,
  );

/** The state of products by night: what other views need. */
const states = (d: Dialect): string[] => [
  view(
    'lake.night',
    `
select region, snapshot_date, lag(snapshot_date) over (partition by region order by snapshot_date) as previous_date
from (select distinct region, snapshot_date from lake.prices) as night`,
  ),
  view(
    'lake.product',
    `
select region, snapshot_date, product_key, product_id, title, brand, coalesce(categories, '') as categories
from lake.products`,
  ),
  // The price of a product that is not for sale is not an offer: the last sale price counts.
  view(
    'lake.sale_price',
    `
select region, product_key, price, unit_price, unit_of_measure, snapshot_date as valid_from,
  coalesce(lead(snapshot_date) over (partition by region, product_key order by snapshot_date), date '9999-01-01')
    as valid_to
from lake.prices
where availability = 'available'`,
  ),
  view(
    'lake.offer',
    `
select region, snapshot_date, product_key, product_id, ${d.long('price * 100')} as cents,
  ${d.long('loyalty_price * 100')} as loyalty_cents, currency, unit_price, unit_of_measure, availability, on_promotion
from lake.prices
where availability = 'available'
union all
select p.region, p.snapshot_date, p.product_key, p.product_id, ${d.long('s.price * 100')},
  ${d.long('p.loyalty_price * 100')}, p.currency, s.unit_price, s.unit_of_measure, p.availability, p.on_promotion
from lake.prices as p
left join lake.sale_price as s
  on s.region = p.region and s.product_key = p.product_key and s.valid_from <= p.snapshot_date
  and s.valid_to > p.snapshot_date
where p.availability = 'unavailable'`,
  ),
  // Each set of categories with its categories and all above them; '' is the whole region.
  view(
    'lake.category_set',
    `
select distinct categories, '' as path from lake.product
union all
select distinct categories, ${d.levels('shelf', 'depth')} as path
from (
  select categories, ${d.eachPath('categories')} as shelf
  from (select distinct categories from lake.product where categories <> '') as named
) as shelves
cross join (${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `select ${n} as depth`).join(' union all ')}) as depths
where depth <= (length(shelf) - length(replace(shelf, ' > ', ''))) / 3 + 1`,
  ),
];

const catalogue = (d: Dialect): string[] => {
  const night = `
select p.region, p.snapshot_date, p.product_id, p.product_key, v.title, p.price, p.currency, p.unit_price,
  p.unit_of_measure, p.loyalty_price, p.availability, p.on_promotion, v.brand
from lake.prices as p
join lake.product as v
  on v.region = p.region and v.snapshot_date = p.snapshot_date and v.product_key = p.product_key`;
  const asOf = (region: string, date: string) => `${night}
where p.region = ${region}
  and p.snapshot_date = (
    select max(night.snapshot_date) from lake.night as night
    where night.region = ${region} and night.snapshot_date <= ${date})`;
  return [
    view('marts.fct_price_daily', night),
    ...(d.asOf ? [d.asOf(asOf)] : []),
    view(
      'marts.fct_price_change',
      `
select region, product_id, product_key, changed_at, snapshot_date, old_price, new_price, currency, change_pct
from lake.price_changes`,
    ),
  ];
};

const promotions = view(
  'marts.fct_promotion',
  `
select distinct region, product_id, product_key, description, offer_type, kind, loyalty_price, currency, starts_at,
  ends_at, seen_from
from lake.promotions`,
);

const figures = (d: Dialect): string[] => {
  const counted = [
    'products_listed',
    'products_available',
    'products_on_promotion',
    'products_with_loyalty_price',
    'price_sum_cents',
  ];
  const moved = ['priced', 'priced_before', 'priced_on_both', 'price_increases', 'price_decreases'];
  const sums = ['discount_pct_sum', ...counted, ...moved];
  const zeros = (names: readonly string[]) => names.map((name) => `0 as ${name}`).join(', ');
  const daily = (columns: string, where: string) => `
select f.region as region, f.snapshot_date as snapshot_date, ${columns}f.products_listed as products_listed,
  f.products_available as products_available, f.products_on_promotion as products_on_promotion,
  f.products_with_loyalty_price as products_with_loyalty_price,
  case when f.products_available > 0
    then ${ratio(d, 'f.price_sum_cents', '100 * f.products_available', 4)} end as average_price,
  ${d.decimal(`m.median_price_doubled * ${d.decimal(`'0.005'`, 3)}`, 3)} as median_price,
  case when f.products_with_loyalty_price > 0
    then round(f.discount_pct_sum / f.products_with_loyalty_price, 4) end as average_loyalty_discount_pct,
  case when night.previous_date is not null then f.priced - f.priced_on_both end as arrivals,
  case when night.previous_date is not null then f.priced_before - f.priced_on_both end as departures,
  case when night.previous_date is not null then f.price_increases end as price_increases,
  case when night.previous_date is not null then f.price_decreases end as price_decreases,
  f.currency as currency
from lake.daily_figure as f
join lake.night as night on night.region = f.region and night.snapshot_date = f.snapshot_date
left join lake.daily_median as m
  on m.region = f.region and m.snapshot_date = f.snapshot_date and m.path = f.path
where ${where}`;
  return [
    // Counts by set of categories and price, because many products share few of both.
    view(
      'lake.daily_count',
      `
select o.region as region, o.snapshot_date as snapshot_date, v.categories as categories,
  case when o.availability = 'available' then o.cents end as cents,
  max(o.currency) as currency,
  count(*) as products_listed,
  count(o.cents) as priced,
  sum(case when o.availability = 'available' and o.cents >= 0 and o.on_promotion then 1 else 0 end) as promoted,
  sum(case when o.availability = 'available' and o.cents >= 0 and o.loyalty_cents >= 0 then 1 else 0 end) as loyal,
  sum(case when o.availability = 'available' and o.cents > 0 and o.loyalty_cents >= 0
    then (o.cents - o.loyalty_cents) / ${d.double('o.cents')} * 100 else 0 end) as discount_pct_sum
from lake.offer as o
join lake.product as v
  on v.region = o.region and v.snapshot_date = o.snapshot_date and v.product_key = o.product_key
group by o.region, o.snapshot_date, v.categories, case when o.availability = 'available' then o.cents end`,
    ),
    view(
      'lake.daily_move',
      `
select later.region as region, later.snapshot_date as snapshot_date, w.categories as categories_before,
  v.categories as categories, max(later.currency) as currency, count(*) as priced_on_both,
  sum(case when later.cents > earlier.cents then 1 else 0 end) as price_increases,
  sum(case when later.cents < earlier.cents then 1 else 0 end) as price_decreases
from lake.offer as later
join lake.night as night on night.region = later.region and night.snapshot_date = later.snapshot_date
join lake.offer as earlier
  on earlier.region = later.region and earlier.product_key = later.product_key
  and earlier.snapshot_date = night.previous_date
join lake.product as v
  on v.region = later.region and v.snapshot_date = later.snapshot_date and v.product_key = later.product_key
join lake.product as w
  on w.region = earlier.region and w.snapshot_date = earlier.snapshot_date and w.product_key = earlier.product_key
where later.cents >= 0 and earlier.cents >= 0
group by later.region, later.snapshot_date, w.categories, v.categories`,
    ),
    view(
      'lake.daily_figure',
      `
select region, snapshot_date, path, max(currency) as currency,
  ${sums.map((name) => `sum(${name}) as ${name}`).join(', ')}
from (
  select c.region as region, c.snapshot_date as snapshot_date, s.path as path, c.currency as currency,
    c.discount_pct_sum as discount_pct_sum, c.products_listed as products_listed,
    case when c.cents >= 0 then c.products_listed else 0 end as products_available,
    c.promoted as products_on_promotion, c.loyal as products_with_loyalty_price,
    coalesce(c.cents * c.products_listed, 0) as price_sum_cents, c.priced as priced, 0 as priced_before,
    0 as priced_on_both, 0 as price_increases, 0 as price_decreases
  from lake.daily_count as c
  join lake.category_set as s on s.categories = c.categories
  union all
  select c.region, night.snapshot_date, s.path, c.currency, 0.0, ${zeros(counted)}, 0, c.priced, 0, 0, 0
  from lake.daily_count as c
  join lake.night as night on night.region = c.region and night.previous_date = c.snapshot_date
  join lake.category_set as s on s.categories = c.categories
  union all
  select m.region, m.snapshot_date, s.path, m.currency, 0.0, ${zeros(counted)}, 0, 0, m.priced_on_both,
    m.price_increases, m.price_decreases
  from lake.daily_move as m
  join lake.category_set as s on s.categories = m.categories
  join lake.category_set as b on b.categories = m.categories_before and b.path = s.path
) as part
group by region, snapshot_date, path
having sum(part.products_listed) > 0 or sum(part.priced_before) > sum(part.priced_on_both) or path = ''`,
    ),
    view(
      'lake.daily_median',
      `
select region, snapshot_date, path,
  min(case when 2 * up_to >= products then cents end) + min(case when 2 * up_to > products then cents end)
    as median_price_doubled
from (
  select region, snapshot_date, path, cents,
    sum(listed) over (partition by region, snapshot_date, path order by cents) as up_to,
    sum(listed) over (partition by region, snapshot_date, path) as products
  from (
    select c.region as region, c.snapshot_date as snapshot_date, s.path as path, c.cents as cents,
      sum(c.products_listed) as listed
    from lake.daily_count as c
    join lake.category_set as s on s.categories = c.categories
    where c.cents >= 0
    group by c.region, c.snapshot_date, s.path, c.cents
  ) as at_price
) as ranked
group by region, snapshot_date, path`,
    ),
    view('marts.fct_region_daily', daily('', `f.path = ''`)),
    view(
      'marts.fct_category_daily',
      daily(`length(f.path) - length(replace(f.path, ' > ', '  ')) as depth, f.path as path,\n  `, `f.path <> ''`),
    ),
  ];
};
