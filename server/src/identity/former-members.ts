/**
 * SQL for the name to show for the person who made the entry `m`, null once their account is removed. The row itself
 * keeps its name: rows are append-only, and the hash of a movement covers it.
 */
export const SHOWN_NAME = '(select m.actor_name from users where users.id = m.actor_id) as shown_name';

export type WithShownName = { shown_name: string | null };
