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

comment on view marts.certificate_category is
  'One row is a category that a judged run requested: its declared totals and what was received. Name a run.';
comment on column marts.certificate_category.run_id is 'Joins certificate.';
comment on column marts.certificate_category.path is 'Names from the top level down, joined with " > ".';
comment on column marts.certificate_category.is_sample is
  'Whether only its first page was requested, to compare it with its parent.';
comment on column marts.certificate_category.declared_first is
  'Products it declared when first read; null if it declares none.';
comment on column marts.certificate_category.declared_last is 'Products it declared when last read.';
comment on column marts.certificate_category.pages_planned is 'Pages planned.';
comment on column marts.certificate_category.pages_read is 'Pages that were read.';
comment on column marts.certificate_category.pages_failed is 'Pages that could not be read.';
comment on column marts.certificate_category.pages_empty is 'Pages that were empty.';
comment on column marts.certificate_category.items_received is 'Elements received on its pages.';
comment on column marts.certificate_category.items_in_quarantine is 'Elements that could not be parsed.';
comment on column marts.certificate_category.distinct_products is
  'Distinct products on its pages and on those below it, without advertisements.';
comment on column marts.certificate_category.missing_products is
  'Declared products that are missing; null if it declares no total.';
