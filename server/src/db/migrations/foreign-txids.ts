import type pg from 'pg';
import { SWITCH_OFF_WEBHOOKS } from '../core/restored-webhooks.ts';

// The change feed and the alerts are ordered by transaction id. A dump that is restored into another cluster brings the
// ids of the old cluster along, while a new cluster counts from the beginning. The restored rows would then look like
// transactions of the far future: readers would not see them for months, and new rows would sort before them.

/**
 * Sets the ids from another cluster to 0, so that the restored rows sort before all new ones, ordered by their number
 * in the table. Rows that were written at the same time may end up in another order than in the old cluster.
 */
export async function resetForeignTxids(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(HAS_FOREIGN_TXIDS);
  if (rows.length === 0) return;
  await client.query('update changes set txid = 0');
  await client.query('update stock_alerts set txid = 0');
  await client.query('update alert_choices set seen_txid = 0');
  await client.query('update webhooks set from_txid = 0, from_snapshot = null, alerts_txid = 0');
  await client.query(SWITCH_OFF_WEBHOOKS);
}

// An id that this cluster has not assigned yet is foreign. The newest assigned id may be that of this transaction.
const HAS_FOREIGN_TXIDS = `
  select from (select greatest(pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
                               pg_current_xact_id()::text::bigint) as newest) here
  where (select max(txid) from changes) > newest
     or (select max(txid) from stock_alerts) > newest
     or (select max(seen_txid) from alert_choices) > newest`;
