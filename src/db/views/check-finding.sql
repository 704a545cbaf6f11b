create view marts.check_finding as
select
  run.run_id,
  run.region,
  run.snapshot_date,
  found.name,
  found.severity::text as severity,
  found.found,
  found.message,
  array_to_string(found.samples, ', ') as samples
from ops.finding found
join ops.run run on run.run_id = found.run_id;

comment on view marts.check_finding is 'One row is a finding of a quality check in a run.';
comment on column marts.check_finding.run_id is 'Joins certificate.';
comment on column marts.check_finding.region is 'uk or ie.';
comment on column marts.check_finding.snapshot_date is 'Calendar date of the night in the region''s time zone.';
comment on column marts.check_finding.name is 'Name of the check.';
comment on column marts.check_finding.severity is 'warn: for review; block: the run is held until a user decides.';
comment on column marts.check_finding.found is 'Number of products, promotions or categories affected.';
comment on column marts.check_finding.message is 'One sentence with figures.';
comment on column marts.check_finding.samples is 'Some of their ids, separated by ", ".';
