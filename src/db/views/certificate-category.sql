create view marts.certificate_category as
select
  category.run_id,
  category.path,
  category.is_sample,
  category.declared_first,
  category.declared as declared_last,
  category.pages_planned,
  category.pages_planned - category.pages_failed as pages_read,
  category.pages_failed,
  category.received as items_received,
  category.rejected as items_in_quarantine,
  category.seen as distinct_products,
  greatest(category.declared - category.seen, 0) as missing_products
from ops.category_evidence category
join ops.certificate judged on judged.run_id = category.run_id;

select ops.describe('marts.certificate_category', $$
One row is a category that a judged run requested: its declared totals and what was received. Name a run.
run_id: Joins certificate.
is_sample: Whether only its first page was requested, to compare it with its parent.
declared_first: Products it declared when first read; null if it declares none.
declared_last: Products it declared when last read.
pages_planned: Pages planned.
pages_read: Pages that were read.
pages_failed: Pages that could not be read.
items_received: Elements received on its pages.
distinct_products: Distinct products on its pages and on those below it, without advertisements.
missing_products: Declared products that are missing; null if it declares no total.
$$, 'marts.certificate');
