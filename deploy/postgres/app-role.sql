-- The server's own role in PostgreSQL. The image runs this file when it creates the database. It may only log in: what it
-- may read and write, the service `migrate` grants.
\set password `cat /run/secrets/app_password`
create role perfume_app login password :'password';
