create view marts.price_index_vintage as
select
  kept.region,
  nullif(kept.category_key, 0) as category_key,
  category.path as category_path,
  kept.period,
  kept.period_start,
  basis.price_basis,
  kept.base_start,
  kept.values[basis.place]::numeric(24, 10) as value,
  kept.published_at,
  lead(kept.published_at) over (
    partition by kept.region, kept.category_key, kept.period, kept.period_start, basis.price_basis
    order by kept.published_at
  ) as superseded_at
from derived.price_index_vintage kept
left join catalog.category category on category.category_key = kept.category_key
cross join (
  values ('shelf', 1), ('member', 2), ('shelf_adjusted', 3), ('member_adjusted', 4)
) as basis (price_basis, place);

select ops.describe('marts.price_index_vintage', $$
One row is a value of geks_jevons in price_index as it was published: for the region and its departments. A value that a
  later night revised has a further row. Filter published_at and superseded_at to repeat an earlier report.
category_key: Joins dim_category: a department; null for the whole region.
category_path: Name of the department; null for the whole region.
period: day, week or month.
period_start: First day of the period.
price_basis: shelf, member, shelf_adjusted or member_adjusted, as in price_index.
base_start: First day of the base period, in which the index is 100.
value: The index; null if nothing could be compared.
published_at: Instant from which price_index showed the value, by the clock of the program.
superseded_at: Instant at which another value replaced it; null if price_index still shows it.
$$);
