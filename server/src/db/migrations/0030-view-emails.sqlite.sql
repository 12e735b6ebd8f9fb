-- Who gets an email when a saved view is no longer empty.
create table view_emails (
  view_id text not null references views (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  -- 1: the view was empty when it was last looked at, so its next item leads to an email.
  was_zero integer not null check (was_zero in (0, 1)),
  -- When the last email was sent.
  last_sent integer,
  primary key (view_id, user_id)
) strict, without rowid;
create index view_emails_of_person on view_emails (user_id);
