import { listAlerts, seeAlerts } from '@perfume/contract/alerts';
import { createKey, listKeys, revokeKey } from '@perfume/contract/api-keys';
import { bulk, findBatch, undoBatch } from '@perfume/contract/bulk';
import { findCode } from '@perfume/contract/codes';
import {
  changeCount,
  decideCountLines,
  findCount,
  listCountLines,
  listCounts,
  openCount,
  postCount,
  recordCount,
  undoCountEntry,
} from '@perfume/contract/counts';
import type { Endpoint } from '@perfume/contract/endpoint';
import { events } from '@perfume/contract/feed';
import { listHistory, listPeople, previewUndo, undoEntry } from '@perfume/contract/history';
import {
  exportDeadStock,
  exportSellers,
  exportSeries,
  exportSuppliers,
  readDeadStock,
  readFigures,
  readSellers,
  readSeries,
  readSuppliers,
} from '@perfume/contract/insights';
import {
  createItem,
  deleteItem,
  editItem,
  findItem,
  listAllItems,
  listMyItems,
  restoreItem,
} from '@perfume/contract/items';
import { listMovements, recordMovement, setQuantity, undoMovement } from '@perfume/contract/ledger';
import { uploadPicture } from '@perfume/contract/pictures';
import { getSettings, putSettings } from '@perfume/contract/settings';
import { figuresAsOf, listAsOf, spanOfLedger } from '@perfume/contract/time-machine';
import {
  applyImport,
  cancelImport,
  changeImport,
  exportHistory,
  exportHouse,
  exportItems,
  findImport,
  listImports,
  readImportProblems,
  startImport,
} from '@perfume/contract/transfer';
import { changeView, createView, deleteView, listViews } from '@perfume/contract/views';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateSecret,
  testWebhook,
} from '@perfume/contract/webhooks';
import type { HouseAction } from '@perfume/domain/houses';
import type { Thing } from './things.store.ts';

/**
 * What a request does in a house. `names`: what the id in its path names, which must be of the same house. `own`: roles
 * that may not change items may do this only to what they did themselves.
 */
export type Rule = { does: HouseAction | ((body: unknown) => HouseAction); names?: Thing; own?: true };

/**
 * The policy: a rule for every endpoint that reads or changes something of a house. The other endpoints need no login,
 * or are about the person's own account: their tag is 'Accounts and sessions'.
 */
export const policy = new Map<Endpoint, Rule>([
  [listAllItems, { does: 'read' }],
  [listMyItems, { does: 'read' }],
  [findItem, { does: 'read' }],
  [findCode, { does: 'read' }],
  [createItem, { does: 'changeItems' }],
  [uploadPicture, { does: 'changeItems' }],
  [editItem, { does: 'changeItems', names: 'item' }],
  [deleteItem, { does: 'changeItems', names: 'item' }],
  [restoreItem, { does: 'changeItems', names: 'item' }],
  [setQuantity, { does: 'moveStock', names: 'item' }],
  [recordMovement, { does: 'moveStock', names: 'item' }],
  [listMovements, { does: 'read', names: 'item' }],
  [undoMovement, { does: 'moveStock', names: 'movement', own: true }],
  [listViews, { does: 'read' }],
  [createView, { does: (body) => (sharesView(body) ? 'moveStock' : 'read') }],
  [changeView, { does: (body) => (sharesView(body) ? 'moveStock' : 'read') }],
  [deleteView, { does: 'read' }],
  [listHistory, { does: 'read' }],
  [listPeople, { does: 'read' }],
  [previewUndo, { does: 'read', names: 'entry' }],
  [undoEntry, { does: 'moveStock', names: 'entry', own: true }],
  [bulk, { does: (body) => (movesStock(body) ? 'moveStock' : 'changeItems') }],
  [findBatch, { does: 'read' }],
  [undoBatch, { does: 'moveStock', names: 'batch', own: true }],
  [startImport, { does: 'changeItems' }],
  [listImports, { does: 'changeItems' }],
  [findImport, { does: 'changeItems', names: 'import' }],
  [changeImport, { does: 'changeItems', names: 'import' }],
  [applyImport, { does: 'changeItems', names: 'import' }],
  [cancelImport, { does: 'changeItems', names: 'import' }],
  [readImportProblems, { does: 'changeItems', names: 'import' }],
  [exportItems, { does: 'changeItems' }],
  [exportHouse, { does: 'changeItems' }],
  [exportHistory, { does: 'read' }],
  [openCount, { does: 'moveStock' }],
  [listCounts, { does: 'read' }],
  [findCount, { does: 'read', names: 'count' }],
  [changeCount, { does: 'moveStock', names: 'count' }],
  [listCountLines, { does: 'read', names: 'count' }],
  [recordCount, { does: 'moveStock', names: 'count' }],
  [undoCountEntry, { does: 'moveStock', names: 'countEntry', own: true }],
  [decideCountLines, { does: 'moveStock', names: 'count' }],
  [postCount, { does: 'moveStock', names: 'count' }],
  [listAsOf, { does: 'read' }],
  [figuresAsOf, { does: 'read' }],
  [spanOfLedger, { does: 'read' }],
  [listAlerts, { does: 'read' }],
  [seeAlerts, { does: 'read' }],
  [listWebhooks, { does: 'changeSettings' }],
  [createWebhook, { does: 'changeSettings' }],
  [changeWebhook, { does: 'changeSettings', names: 'webhook' }],
  [deleteWebhook, { does: 'changeSettings', names: 'webhook' }],
  [rotateSecret, { does: 'changeSettings', names: 'webhook' }],
  [testWebhook, { does: 'changeSettings', names: 'webhook' }],
  [listDeliveries, { does: 'changeSettings', names: 'webhook' }],
  [replayDelivery, { does: 'changeSettings', names: 'webhook' }],
  [getSettings, { does: 'read' }],
  [putSettings, { does: (body) => (setsReorderPoint(body) ? 'changeSettings' : 'read') }],
  [readFigures, { does: 'read' }],
  [readSeries, { does: 'read' }],
  [readSellers, { does: 'read' }],
  [readSuppliers, { does: 'read' }],
  [readDeadStock, { does: 'read' }],
  [exportSeries, { does: 'read' }],
  [exportSellers, { does: 'read' }],
  [exportSuppliers, { does: 'read' }],
  [exportDeadStock, { does: 'read' }],
  [events, { does: 'read' }],
  [createKey, { does: 'manageHouse' }],
  [listKeys, { does: 'manageHouse' }],
  [revokeKey, { does: 'manageHouse' }],
]);

// The bodies are not validated yet here. One that is malformed needs the role that may do most of what it could mean.

function movesStock(body: unknown): boolean {
  const { action } = (body ?? {}) as { action?: unknown };
  return action === 'deliver' || action === 'restock';
}

/** A shared view is in everybody's list, and in their sidebar if it is pinned. */
function sharesView(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'shared' in body && body.shared !== false;
}

function setsReorderPoint(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'reorderPoint' in body;
}
