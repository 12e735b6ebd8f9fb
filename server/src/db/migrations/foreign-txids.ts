import type pg from 'pg';

// The feed and the alerts stand in the order of the transactions that wrote them. A dump that was read into another
// cluster brings the numbers of the old one along, and a new cluster counts from the beginning: whatever came with a
// number not given out here yet would not be over for months, and all that is new would stand before it.

/**
 * Puts what came from another cluster before everything that will be written in this one, by its number in the table. Of
 * two that were written in the same instant, that may be the other way round.
 */
export async function resetForeignTxids(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(FOREIGN);
  if (rows.length === 0) return;
  await client.query('update changes set txid = 0');
  await client.query('update stock_alerts set txid = 0');
  await client.query('update alert_choices set seen_txid = 0');
}

// Nobody can see a number that has not been given out; this very transaction's own may be the newest of all.
const FOREIGN = `
  select from (select greatest(pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
                               pg_current_xact_id()::text::bigint) as newest) here
  where (select max(txid) from changes) > newest
     or (select max(txid) from stock_alerts) > newest
     or (select max(seen_txid) from alert_choices) > newest`;
