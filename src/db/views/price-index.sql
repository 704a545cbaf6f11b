create view marts.price_index as
select
  kept.region,
  kept.shown_key as category_key,
  category.path as category_path,
  kept.period::text as period,
  kept.period_start,
  line.method,
  line.price_basis,
  kept.base_start,
  said.value::numeric as value,
  said.matched_products,
  said.outliers,
  kept.arrivals,
  kept.departures,
  -- Rows of earlier versions lack the derivation date; any copy is more recent.
  coalesce(change.change_seq, 1) as change_seq,
  change.updated_at
from (
  -- Two branches, so that a filter on the category, including null, uses the table's key. The condition that separates
  -- them is below: inside a branch it would prevent look-ups by key from joins.
  select *, null::integer as shown_key, 0 as least_key, 0 as greatest_key from derived.price_index
  union all
  select *, category_key, 1, 2147483647 from derived.price_index
) as kept
left join catalog.category category on category.category_key = kept.shown_key
left join derived.night_change change
  on change.region = kept.region and change.snapshot_date = coalesce(kept.derived_on, kept.period_start)
-- Columns are chosen by position, so that a filter on method and basis is evaluated once and not per row.
cross join (
  values
    ('jevons_chained', 'shelf', 1),
    ('jevons_chained', 'member', 2),
    ('jevons_fixed', 'shelf', 3),
    ('jevons_fixed', 'member', 4),
    ('geks_jevons', 'shelf', 5),
    ('geks_jevons', 'member', 6),
    ('mean_price', 'shelf', 7),
    ('mean_price', 'member', 8)
) as line (method, price_basis, place)
cross join lateral (
  select
    case line.place
      when 1 then kept.chained_shelf
      when 2 then kept.chained_member
      when 3 then kept.fixed_shelf
      when 4 then kept.fixed_member
      when 5 then kept.geks_shelf
      when 6 then kept.geks_member
      when 7 then kept.mean_shelf
      when 8 then kept.mean_member
    end as value,
    case line.place
      when 3 then kept.fixed_matched_shelf
      when 4 then kept.fixed_matched_member
      when 7 then kept.priced
      when 8 then kept.priced
      else case when line.price_basis = 'shelf' then kept.matched_shelf else kept.matched_member end
    end as matched_products,
    case
      when line.place in (1, 5) then kept.outliers_shelf
      when line.place in (2, 6) then kept.outliers_member
    end as outliers
) as said
where kept.category_key between kept.least_key and kept.greatest_key;

comment on view marts.price_index is
  'One row is a price index of a region or category in a period, by one method; '
  'docs/analyse/price-index.md has the formulas. Only certified nights count; '
  'a period without prices in a category has no row. Unweighted, because quantities sold are unknown. '
  'Written after each certified night; the current period is as of the last one.';
comment on column marts.price_index.region is 'uk or ie.';
comment on column marts.price_index.category_key is 'Joins dim_category; null for the whole region.';
comment on column marts.price_index.category_path is
  'Names from the top level down, joined with " > "; null for the whole region.';
comment on column marts.price_index.period is
  'day (a certified night), week (from Monday) or month. A product''s price in a period is the arithmetic mean of its '
  'nightly prices.';
comment on column marts.price_index.period_start is 'First day of the period.';
comment on column marts.price_index.method is
  'jevons_chained, jevons_fixed, geks_jevons, or mean_price: the naive index of average prices, which depends on the '
  'range of products.';
comment on column marts.price_index.price_basis is
  'shelf: the price for everyone; member: the loyalty price if there is one, otherwise the price.';
comment on column marts.price_index.base_start is
  'First day of the base period, in which the index is 100. A base later than the region''s means that the '
  'category''s series began or restarted then, because no earlier product was left to compare with.';
comment on column marts.price_index.value is 'The index, 100 in the base period; null if nothing can be compared.';
comment on column marts.price_index.matched_products is
  'Products whose prices were compared: with the linked period (jevons_chained, geks_jevons) or with the base period '
  '(jevons_fixed); for mean_price, and in a base period, all with a price.';
comment on column marts.price_index.outliers is
  'Products left out of the link because their price moved by more than a factor of ten; '
  'null for methods without a link.';
comment on column marts.price_index.arrivals is
  'Products with a price in the period and none in the one before; null in the first period.';
comment on column marts.price_index.departures is
  'Products with a price in the period before and none in this one; null in the first period.';
comment on column marts.price_index.change_seq is
  'Change key of the data derived from the night: rises whenever it is written or changed, in commit order. '
  'Rows with a greater key than those of a copy are new or have changed. It rises with every night of a period, and '
  'while the window can still revise the period.';
comment on column marts.price_index.updated_at is 'Instant of that change, by the clock of the program.';
