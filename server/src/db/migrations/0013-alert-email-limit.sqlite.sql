-- How many instant alert emails a person got in an hour and on a day (both counted from 1970 in UTC). held_from is the first alert
-- that no email has reported because the limit was reached; null: there is none.

alter table alert_choices add column mailed_hour integer not null default 0;
alter table alert_choices add column mailed_in_hour integer not null default 0;
alter table alert_choices add column mailed_day integer not null default 0;
alter table alert_choices add column mailed_in_day integer not null default 0;
alter table alert_choices add column held_from integer;
create index alert_choices_held on alert_choices (user_id) where held_from is not null;
