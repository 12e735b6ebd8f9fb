-- Addresses that may sign up when SIGN_UP=invited. The new account uses the invitation up.
create table invitations (
  email_key text collate "C" primary key,
  invited_at bigint not null
);
