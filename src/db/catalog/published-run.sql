-- The runs that are snapshots. If a night was crawled again, the run with the greatest id counts.
create view ops.published_run as select * from ops.run where status = 'published';
