-- One word for what is known before a page of the night is read: a backlog; and an alert that is not over is open.
alter table ops.run_forecast rename column details_standing to details_backlog;
--> statement-breakpoint
alter index ops.alert_one_standing rename to alert_one_open;
