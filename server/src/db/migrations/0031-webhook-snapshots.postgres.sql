-- Which transactions had ended when a webhook was made or switched on (`pg_current_snapshot()`): it gets none of their
-- changes. The feed holds a change back while an older transaction runs, so its position alone does not tell. Null: the
-- position alone decides.
alter table webhooks add column from_snapshot text;
