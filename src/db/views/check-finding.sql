create view marts.check_finding as
select
  run.run_id,
  run.region,
  run.snapshot_date,
  found.name,
  found.severity::text as severity,
  found.found,
  ops.finding_in_words(found.name, found.found, found.total) as message,
  array_to_string(found.samples, ', ') as samples
from ops.finding found
join ops.run run on run.run_id = found.run_id;

select ops.describe('marts.check_finding', $$
One row is a finding of a quality check in a run.
name: Name of the check.
severity: warn: for review; block: the run is held until a user decides.
found: Number of products, elements or nights affected.
message: One sentence with figures.
samples: Some of their ids, separated by ", ".
$$, 'marts.certificate_category');
