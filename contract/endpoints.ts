import { listAlerts, seeAlerts } from './alerts.ts';
import { createKey, listKeys, revokeKey } from './api-keys.ts';
import { bulk, findBatch, undoBatch } from './bulk.ts';
import { findCode } from './codes.ts';
import type { Endpoint } from './endpoint.ts';
import { events } from './feed.ts';
import { listHistory, listPeople, previewUndo, undoEntry } from './history.ts';
import {
  addPasskey,
  changePassword,
  confirmTwoStep,
  deleteUser,
  disableTwoStep,
  enableTwoStep,
  getSession,
  listSessions,
  login,
  newRecoveryCodes,
  passkeyOptions,
  passkeyOptionsToAdd,
  prove,
  removePasskey,
  renamePasskey,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  revokeOtherSessions,
  revokeSession,
  revokeSessions,
  secondSteps,
  signIn,
  signInPasskey,
  signInSocial,
  signOut,
  signUp,
  updateUser,
  verifyBackupCode,
  verifyEmail,
  verifyTotp,
} from './identity.ts';
import { readDeadStock, readFigures, readSellers, readSeries, readSuppliers } from './insights.ts';
import {
  createItem,
  deleteItem,
  editItem,
  findItem,
  listAllItems,
  listMyItems,
  listPublicItems,
  restoreItem,
} from './items.ts';
import { listMovements, recordMovement, setQuantity, undoMovement } from './ledger.ts';
import { uploadPicture } from './pictures.ts';
import { getSettings, putSettings, readAccountData } from './settings.ts';
import { figuresAsOf, listAsOf, spanOfLedger } from './time-machine.ts';

const all = [
  login,
  listPublicItems,
  listAllItems,
  listMyItems,
  findItem,
  findCode,
  createItem,
  uploadPicture,
  setQuantity,
  editItem,
  deleteItem,
  restoreItem,
  listMovements,
  recordMovement,
  undoMovement,
  listHistory,
  listPeople,
  previewUndo,
  undoEntry,
  bulk,
  findBatch,
  undoBatch,
  listAsOf,
  figuresAsOf,
  spanOfLedger,
  listAlerts,
  seeAlerts,
  getSettings,
  putSettings,
  readAccountData,
  readFigures,
  readSeries,
  readSellers,
  readSuppliers,
  readDeadStock,
  events,
  signUp,
  signIn,
  signInSocial,
  signOut,
  getSession,
  verifyEmail,
  resendVerification,
  requestPasswordReset,
  resetPassword,
  changePassword,
  updateUser,
  deleteUser,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  revokeSessions,
  prove,
  verifyTotp,
  verifyBackupCode,
  passkeyOptions,
  signInPasskey,
  secondSteps,
  enableTwoStep,
  confirmTwoStep,
  disableTwoStep,
  newRecoveryCodes,
  passkeyOptionsToAdd,
  addPasskey,
  renamePasskey,
  removePasskey,
  createKey,
  listKeys,
  revokeKey,
] as const;

/** The whole API, in the order of the API reference. */
export const endpoints: readonly Endpoint[] = all;

/**
 * Every endpoint by method and path, as in `Endpoints['GET /alerts']`. The browser imports only these types, not the
 * schemas.
 */
export type Endpoints = { [E in (typeof all)[number] as `${E['method']} ${E['path']}`]: E };
