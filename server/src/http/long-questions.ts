import { listAlerts, seeAlerts } from '@perfume/contract/alerts';
import { findBatch } from '@perfume/contract/bulk';
import { findCount, listCountLines } from '@perfume/contract/counts';
import type { Endpoint } from '@perfume/contract/endpoint';
import { listHistory, listPeople, previewUndo } from '@perfume/contract/history';
import { listHouseEvents } from '@perfume/contract/houses';
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
import { listMovements } from '@perfume/contract/ledger';
import { readAccountData } from '@perfume/contract/settings';
import { figuresAsOf, listAsOf } from '@perfume/contract/time-machine';
import { exportHistory, exportHouse, exportItems, findImport, readImportProblems } from '@perfume/contract/transfer';

/** The endpoints that may keep the database busy for long. All of them require a login. */
export const longQuestions: ReadonlySet<Endpoint> = new Set<Endpoint>([
  listAsOf,
  figuresAsOf,
  readFigures,
  readSeries,
  readSellers,
  readSuppliers,
  readDeadStock,
  listHistory,
  listPeople,
  previewUndo,
  listMovements,
  readAccountData,
  listAlerts,
  seeAlerts,
  findBatch,
  findCount,
  listCountLines,
  listHouseEvents,
  findImport,
  readImportProblems,
  exportItems,
  exportHistory,
  exportHouse,
  exportSeries,
  exportSellers,
  exportSuppliers,
  exportDeadStock,
]);

/**
 * How many long questions of one person may run and wait. A page sends six at once, and a person may have a few pages
 * open.
 */
export const LIMITS = { running: 2, waiting: 22 };

/** How many lists and pages that are not in the cache may be read for one person or the visitors of one network, and wait. */
export const READ_LIMITS = { running: 1, waiting: 100 };
