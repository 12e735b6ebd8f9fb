import type pg from 'pg';
import { OperatorError } from '../core/errors.ts';
import { migrateInTransaction } from '../migrations/migrate.ts';
import { connectPostgres } from './postgres-client.ts';

/**
 * What the server's role may do with a table that needs less than the default. Each list is in alphabetical order, so
 * that it can be compared with what the database reports.
 */
const PRIVILEGES: Record<string, string> = {
  migrations: 'select',
  stock_movements: 'insert, select',
  item_events: 'insert, select',
  settings_events: 'insert, select',
  shelf_changes: 'insert, select',
  checkpoints: 'insert, select',
  checkpoint_entries: 'insert, select',
  renames: 'insert, select',
  count_entries: 'insert, select',
  items: 'insert, select, update',
  item_codes: 'delete, insert, select',
  item_tallies: 'insert, select, update',
  stock_summed: 'insert, select, update',
  houses: 'insert, select, update',
};
const DEFAULT_PRIVILEGES = 'delete, insert, select, update';

/**
 * Migrates with the role of `ownerUrl`, which owns the tables, and lets the role of `url` read and write rows and nothing
 * else: it cannot change or drop tables, functions and triggers, nor change what the ledger holds.
 */
export async function migrateAsOwner(ownerUrl: string, url: string): Promise<void> {
  const owner = await connectPostgres(ownerUrl);
  try {
    const role = decodeURIComponent(new URL(url).username);
    await requireHarmless(owner, role);
    await owner.query('begin');
    await migrateInTransaction(owner);
    await grantPrivileges(owner, role);
    await owner.query('commit');
  } finally {
    await owner.end();
  }
}

async function grantPrivileges(owner: pg.Client, role: string): Promise<void> {
  const { rows: places } = await owner.query(SELECT_PLACES, [role]);
  const { database, schema, reaches, creates } = places[0];
  const grantee = owner.escapeIdentifier(role);
  if (!reaches) {
    await owner.query(`grant connect on database ${database} to ${grantee}`);
    await owner.query(`grant usage on schema ${schema} to ${grantee}`);
  }
  if (creates) {
    // Without TEMPORARY, too: the triggers would find a temporary table with the name of a real one first.
    await owner.query(`revoke create, temporary on database ${database} from public, ${grantee}`);
    await owner.query(`revoke create on schema ${schema} from public, ${grantee}`);
  }
  const { rows: tables } = await owner.query(SELECT_TABLES, [role]);
  for (const { table, granted } of tables) {
    const needed = PRIVILEGES[table] ?? DEFAULT_PRIVILEGES;
    // Writes to the catalogue only if something differs, because a server may do this at every start.
    if (granted === needed) continue;
    const name = owner.escapeIdentifier(table);
    await owner.query(`revoke all on ${name} from public, ${grantee}`);
    await owner.query(`grant ${needed} on ${name} to ${grantee}`);
  }
  const after = await owner.query(SELECT_PLACES, [role]);
  if (after.rows[0].creates)
    throw new OperatorError(
      `The role ${role} of DATABASE_URL can still create objects. As the owner of the database or a superuser, run:\n` +
        `revoke create, temporary on database ${database} from public, ${grantee};\n` +
        `revoke create on schema ${schema} from public, ${grantee};`,
    );
}

/** Throws if the role has rights that do not come from grants on tables, or could give itself more. */
async function requireHarmless(owner: pg.Client, role: string): Promise<void> {
  const { rows } = await owner.query(SELECT_FAULTS, [role]);
  const fault = rows.length === 0 ? 'does not exist' : rows[0].fault;
  if (fault)
    throw new OperatorError(
      `The role ${role || '(none)'} of DATABASE_URL ${fault}. With DATABASE_OWNER_URL, the server needs a role of its ` +
        "own: create role perfume_app login password '…'",
    );
}

const SELECT_FAULTS = `
  select case
    when rolname = current_user then 'is also that of DATABASE_OWNER_URL'
    when rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
      then 'has more rights than LOGIN, such as SUPERUSER or CREATEROLE'
    when exists (select from pg_auth_members where member = pg_roles.oid) then 'is a member of another role'
    when exists (
      select from pg_shdepend
      where refclassid = 'pg_authid'::regclass and refobjid = pg_roles.oid and deptype = 'o'
        and dbid in (0, (select oid from pg_database where datname = current_database()))
    ) then 'owns objects in this database'
  end as fault
  from pg_roles where rolname = $1`;

const SELECT_PLACES = `
  select quote_ident(current_database()) as database, quote_ident(current_schema()) as schema,
    has_database_privilege($1::name, current_database(), 'connect')
      and has_schema_privilege($1::name, current_schema(), 'usage') as reaches,
    has_database_privilege($1::name, current_database(), 'create, temporary')
      or has_schema_privilege($1::name, current_schema(), 'create') as creates`;

/** Our tables, without those of extensions, each with what the role and PUBLIC may do. */
const SELECT_TABLES = `
  select relname as table, coalesce((
    select string_agg(distinct lower(privilege_type), ', ') from aclexplode(relacl)
    where grantee in (0, (select oid from pg_roles where rolname = $1))
  ), '') as granted
  from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  order by relname`;
