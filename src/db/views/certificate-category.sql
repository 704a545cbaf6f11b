create view marts.certificate_category as
select
  judged.run_id,
  category.path,
  category."isSample" as is_sample,
  category."declaredFirst" as declared_first,
  category."declaredLast" as declared_last,
  category."pagesPlanned" as pages_planned,
  category."pagesDone" as pages_read,
  category."pagesFailed" as pages_failed,
  category."pagesEmpty" as pages_empty,
  category."itemsReceived" as items_received,
  category.rejected as items_in_quarantine,
  category."distinctSeen" as distinct_products,
  greatest(category."declaredLast" - category."distinctSeen", 0) as missing_products
from ops.certificate judged
cross join lateral jsonb_to_recordset(judged.evidence -> 'categories') as category (
  path text, "isSample" boolean, "declaredFirst" integer, "declaredLast" integer, "pagesPlanned" integer,
  "pagesDone" integer, "pagesFailed" integer, "pagesEmpty" integer, "itemsReceived" integer, rejected integer,
  "distinctSeen" integer
);

select ops.describe('marts.certificate_category', $$
One row is a category that a judged run requested: its declared totals and what was received. Name a run.
run_id: Joins certificate.
is_sample: Whether only its first page was requested, to compare it with its parent.
declared_first: Products it declared when first read; null if it declares none.
declared_last: Products it declared when last read.
pages_planned: Pages planned.
pages_read: Pages that were read.
pages_failed: Pages that could not be read.
pages_empty: Pages that were empty.
items_received: Elements received on its pages.
items_in_quarantine: Elements that could not be parsed.
distinct_products: Distinct products on its pages and on those below it, without advertisements.
missing_products: Declared products that are missing; null if it declares no total.
$$);
