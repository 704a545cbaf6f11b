create view marts.certificate as
select
  run.run_id,
  run.region,
  run.snapshot_date,
  run.status::text as status,
  judged.verdict::text as certificate,
  array_to_string(
    array(select ops.reason_in_words(reason) from jsonb_array_elements(judged.reasons) as reason), E'\n') as reasons,
  judged.released_because,
  judged.released_from::text as released_from,
  pages.planned as pages_planned,
  evidence.rereads as pages_read_again,
  pages.samples,
  evidence.asks as products_asked_after,
  greatest(150, round(pages.planned * 0.1))::integer as checks_allowed,
  run.requests_spent,
  paid.cost::numeric(18, 6) as cost,
  paid.currency,
  pages.items_received,
  pages.items_in_quarantine,
  evidence.products as distinct_products,
  run.products_listed,
  run.products_available,
  judged.content_hash::text as content_hash,
  judged.verified_at,
  judged.is_verified,
  run.origin,
  run.upstream,
  run.observed_at,
  run.started_at,
  run.finished_at
from ops.certificate judged
join ops.run run on run.run_id = judged.run_id
left join ops.run_evidence evidence on evidence.run_id = judged.run_id
-- Both are evaluated only for the rows requested.
left join lateral (
  select
    (sum(category.pages_planned) filter (where not category.is_sample))::integer as planned,
    coalesce(sum(category.pages_planned) filter (where category.is_sample), 0)::integer as samples,
    sum(category.received)::integer as items_received,
    sum(category.rejected)::integer as items_in_quarantine
  from ops.category_evidence category
  where category.run_id = judged.run_id
) as pages on true
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
pages_planned: Category pages planned.
pages_read_again: Readings of pages beyond the first.
samples: First pages of child categories that were compared with their parents.
products_asked_after: Unseen products whose own pages were requested.
checks_allowed: Maximum number of rereads, samples and requests for own pages.
requests_spent: Requests the run sent, including details.
cost: Cost of its requests, in currency; null if unknown.
items_received: Elements of lists received, including repeated products.
items_in_quarantine: Elements that could not be parsed.
distinct_products: Distinct products seen.
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
$$);
