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
  path text, "isSample" boolean, "declaredFirst" integer, "declaredLast" integer, "pagesPlanned" integer, "pagesDone" integer,
  "pagesFailed" integer, "pagesEmpty" integer, "itemsReceived" integer, rejected integer, "distinctSeen" integer
);

comment on view marts.certificate_category is 'One row is a category that a judged run requested: what it declared and what was received. Name a run.';
comment on column marts.certificate_category.run_id is 'Joins certificate.';
comment on column marts.certificate_category.path is 'Names from the top level down, joined with " > ".';
comment on column marts.certificate_category.is_sample is 'Whether only its first page was asked for, to hold what is above it against that.';
comment on column marts.certificate_category.declared_first is 'Products it declared when it was first read; null: it declares none.';
comment on column marts.certificate_category.declared_last is 'The same when it was last read.';
comment on column marts.certificate_category.pages_planned is 'Pages that were to be read.';
comment on column marts.certificate_category.pages_read is 'Pages that were read.';
comment on column marts.certificate_category.pages_failed is 'Pages that could not be read.';
comment on column marts.certificate_category.pages_empty is 'Pages that came back empty.';
comment on column marts.certificate_category.items_received is 'Elements that were received on them.';
comment on column marts.certificate_category.items_in_quarantine is 'Of these, those that could not be understood.';
comment on column marts.certificate_category.distinct_products is 'Distinct products on its pages and on those below it, advertisements left out.';
comment on column marts.certificate_category.missing_products is 'How many fewer than it declared last; null where it declares none.';
