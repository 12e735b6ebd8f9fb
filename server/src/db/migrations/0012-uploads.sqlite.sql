-- Uploaded pictures that no item is known to use. Pictures of earlier versions are not in it and stay for good.
create table uploads (
  name text primary key,
  -- When it was uploaded or last put into an item, in milliseconds. Negative: since when its file is being removed.
  at integer not null
) strict;
create index uploads_by_age on uploads (at);
