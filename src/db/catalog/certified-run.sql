-- Published runs that are complete: only they can report a product as gone.
create view ops.certified_run as
select * from ops.run where status = 'published' and verdict in ('complete', 'complete_within_tolerance');
