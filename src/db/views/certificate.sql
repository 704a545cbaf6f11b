create view marts.certificate as
select
  run.run_id,
  run.region,
  run.snapshot_date,
  run.status::text as status,
  judged.verdict::text as certificate,
  array_to_string(judged.reasons, E'\n') as reasons,
  judged.released_because,
  judged.released_from::text as released_from,
  (judged.evidence ->> 'categoriesInTaxonomy')::integer as categories_in_taxonomy,
  (judged.evidence -> 'requests' ->> 'pages')::integer as pages_planned,
  (judged.evidence -> 'requests' ->> 'rereads')::integer as pages_read_again,
  (judged.evidence -> 'requests' ->> 'samples')::integer as samples,
  (judged.evidence -> 'requests' ->> 'asks')::integer as products_asked_after,
  (judged.evidence -> 'requests' ->> 'allowance')::integer as checks_allowed,
  run.requests_spent,
  paid.cost,
  paid.currency,
  (judged.evidence ->> 'itemsReceived')::integer as items_received,
  (judged.evidence ->> 'rejected')::integer as items_in_quarantine,
  (judged.evidence ->> 'distinctProducts')::integer as distinct_products,
  (judged.evidence ->> 'usualProducts')::numeric as usual_products,
  (judged.evidence ->> 'unseen')::integer as unseen_products,
  (judged.evidence ->> 'unseenForSale')::integer as unseen_for_sale,
  run.products_listed,
  run.products_available,
  judged.content_hash::text as content_hash,
  judged.verified_at,
  judged.is_verified,
  run.origin,
  run.upstream,
  run.observed_at,
  run.started_at,
  run.finished_at,
  judged.computed_at
from ops.certificate judged
join ops.run run on run.run_id = judged.run_id
-- Evaluated only for the rows requested.
left join lateral (
  select
    case when bool_and(spend.cost is not null) and min(spend.currency) = max(spend.currency)
      then trim_scale(round(sum(spend.cost), 6)) end as cost,
    case when min(spend.currency) = max(spend.currency) then min(spend.currency) end as currency
  from ops.spend spend
  where spend.run_id = run.run_id and spend.sent > 0
) as paid on true;

comment on view marts.certificate is
  'One row is a judged run: its verdict and the evidence for it. The run of a night is the one in snapshot; '
  'held, abandoned and repeated runs have rows of their own.';
comment on column marts.certificate.run_id is 'The run; joins snapshot.';
comment on column marts.certificate.region is 'uk or ie.';
comment on column marts.certificate.snapshot_date is 'Calendar date of the night in the region''s time zone.';
comment on column marts.certificate.status is
  'published, held (a finding blocks publication until a user decides), open, abandoned or expired.';
comment on column marts.certificate.certificate is 'complete, complete_within_tolerance or partial.';
comment on column marts.certificate.reasons is
  'Reasons why it is not complete, one sentence per line; empty if it is complete, or if only a check held it.';
comment on column marts.certificate.released_because is 'Reason given for the release; null if it was not released.';
comment on column marts.certificate.released_from is 'State before the release: held, or published as partial.';
comment on column marts.certificate.categories_in_taxonomy is 'Categories in the taxonomy; 0: it was empty.';
comment on column marts.certificate.pages_planned is 'Category pages planned.';
comment on column marts.certificate.pages_read_again is 'Readings of pages beyond the first.';
comment on column marts.certificate.samples is 'First pages of child categories that were compared with their parents.';
comment on column marts.certificate.products_asked_after is 'Unseen products whose own pages were requested.';
comment on column marts.certificate.checks_allowed is 'Maximum number of rereads, samples and requests for own pages.';
comment on column marts.certificate.requests_spent is 'Requests the run sent, including details.';
comment on column marts.certificate.cost is 'Cost of its requests, in currency; null if unknown.';
comment on column marts.certificate.currency is 'ISO 4217 code of the cost.';
comment on column marts.certificate.items_received is 'Elements of lists received, including repeated products.';
comment on column marts.certificate.items_in_quarantine is 'Elements that could not be parsed.';
comment on column marts.certificate.distinct_products is 'Distinct products seen.';
comment on column marts.certificate.usual_products is 'Median of the certified runs before it; null before the first.';
comment on column marts.certificate.unseen_products is 'Products listed the night before that were not seen.';
comment on column marts.certificate.unseen_for_sale is 'Unseen products that are still for sale by their own pages.';
comment on column marts.certificate.products_listed is
  'Products available or unavailable after the run; null until it is published.';
comment on column marts.certificate.products_available is
  'Products available after the run; null until it is published.';
comment on column marts.certificate.content_hash is
  'Sum over the products listed after the run of the first 60 bits of the md5 of each row. '
  'Equal for two nights with the same products, prices and states; null until the run is published.';
comment on column marts.certificate.verified_at is 'When the night was last rebuilt from history; null: never.';
comment on column marts.certificate.is_verified is 'Whether the rebuilt night matched its certificate.';
comment on column marts.certificate.origin is 'What started the run: schedule or command.';
comment on column marts.certificate.upstream is
  'Upstream that was crawled, as text; null for runs of earlier versions.';
comment on column marts.certificate.observed_at is 'The single instant that dates all values of the run.';
comment on column marts.certificate.started_at is 'When the run began.';
comment on column marts.certificate.finished_at is 'When it was published, abandoned or expired; null before.';
comment on column marts.certificate.computed_at is 'When the verdict was computed.';
