-- Webhooks start where the database says, not where the clocks of the servers do. SQLite has one writer at a time, so the
-- position in the feed tells. Only PostgreSQL needs a snapshot too; here it is always null.
alter table webhooks drop column from_at;
alter table webhooks add column from_snapshot text;
