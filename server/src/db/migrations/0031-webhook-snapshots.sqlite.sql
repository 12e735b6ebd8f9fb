-- SQLite has one writer at a time, so the position in the feed tells. Only PostgreSQL needs a snapshot too; here it is
-- always null.
alter table webhooks add column from_snapshot text;
