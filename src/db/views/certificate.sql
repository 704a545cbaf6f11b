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
  paid.cost::numeric(18, 6) as cost,
  paid.currency,
  (judged.evidence ->> 'itemsReceived')::integer as items_received,
  (judged.evidence ->> 'rejected')::integer as items_in_quarantine,
  (judged.evidence ->> 'distinctProducts')::integer as distinct_products,
  (judged.evidence ->> 'usualProducts')::numeric(10, 1) as usual_products,
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
      then sum(spend.cost) end as cost,
    case when min(spend.currency) = max(spend.currency) then min(spend.currency) end as currency
  from ops.spend spend
  where spend.run_id = run.run_id and spend.sent > 0
) as paid on true;

select ops.describe('marts.certificate', $$
One row is a judged run: its verdict and the evidence for it. The run of a night is the one in snapshot; held, abandoned
  and repeated runs have rows of their own.
status: published, held (a finding blocks publication until a user decides), open, abandoned or expired.
certificate: complete, complete_within_tolerance or partial.
reasons: Reasons why it is not complete, one sentence per line; empty if it is complete, or if only a check held it.
released_because: Reason given for the release; null if it was not released.
released_from: State before the release: held, or published as partial.
categories_in_taxonomy: Categories in the taxonomy; 0: it was empty.
pages_planned: Category pages planned.
pages_read_again: Readings of pages beyond the first.
samples: First pages of child categories that were compared with their parents.
products_asked_after: Unseen products whose own pages were requested.
checks_allowed: Maximum number of rereads, samples and requests for own pages.
requests_spent: Requests the run sent, including details.
cost: Cost of its requests, in currency; null if unknown.
currency: ISO 4217 code of the cost.
items_received: Elements of lists received, including repeated products.
items_in_quarantine: Elements that could not be parsed.
distinct_products: Distinct products seen.
usual_products: Median of the certified runs before it; null before the first.
unseen_products: Products listed the night before that were not seen.
unseen_for_sale: Unseen products that are still for sale by their own pages.
products_listed: Products available or unavailable after the run; null until it is published.
products_available: Products available after the run; null until it is published.
content_hash: Sum over the products listed after the run of the first 60 bits of the md5 of each row. Equal for two
  nights with the same products, prices and states; null until the run is published.
verified_at: When the night was last rebuilt from history; null: never.
is_verified: Whether the rebuilt night matched its certificate.
origin: What started the run: schedule or command.
upstream: Upstream that was crawled, as text; null for runs of earlier versions.
observed_at: The single instant that dates all values of the run.
started_at: When the run began.
finished_at: When it was published, abandoned or expired; null before.
computed_at: When the verdict was computed.
$$);
