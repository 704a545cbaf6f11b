create view marts.missed_night as
select region, snapshot_date, noticed_at
from ops.missed_night;

select ops.describe('marts.missed_night', $$
One row is a night that was due while no process ran. It is recorded and never crawled later.
noticed_at: When it was noticed.
$$);
