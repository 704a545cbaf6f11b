create view marts.missed_night as
select region, snapshot_date, noticed_at
from ops.missed_night;

comment on view marts.missed_night is
  'One row is a night that was due while no process ran. It is recorded and never crawled later.';
comment on column marts.missed_night.region is 'uk or ie.';
comment on column marts.missed_night.snapshot_date is 'Calendar date of the night in the region''s time zone.';
comment on column marts.missed_night.noticed_at is 'When it was noticed.';
