import type { Endpoint } from './endpoint.ts';
import { events } from './events.ts';
import {
  changePassword,
  getSession,
  login,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  signIn,
  signInSocial,
  signOut,
  signUp,
  updateName,
} from './identity.ts';
import { createItem, deleteItem, findItem, listAllItems, listMyItems, listPublicItems, restoreItem } from './items.ts';
import { listMovements, recordMovement, setQuantity, undoMovement } from './stock.ts';

/** The whole wire, in the order people meet it. */
export const endpoints: readonly Endpoint[] = [
  login,
  listPublicItems,
  listAllItems,
  listMyItems,
  findItem,
  createItem,
  setQuantity,
  deleteItem,
  restoreItem,
  listMovements,
  recordMovement,
  undoMovement,
  events,
  signUp,
  signIn,
  signInSocial,
  signOut,
  getSession,
  resendVerification,
  requestPasswordReset,
  resetPassword,
  changePassword,
  updateName,
];
