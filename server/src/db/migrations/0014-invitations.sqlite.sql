-- Addresses that may sign up when SIGN_UP=invited. The new account uses the invitation up.
create table invitations (
  email_key text primary key,
  invited_at integer not null
) strict, without rowid;
