import { join } from 'node:path';
import type { WireEntry } from '@perfume/contract/history';
import { exportHistory, exportHouse, exportItems } from '@perfume/contract/transfer';
import { toWireField } from '@perfume/contract/wire-import';
import { toWire } from '@perfume/contract/wire-item';
import { emailKey } from '@perfume/domain/email';
import { cellsOfItem, exportedFields, itemHead } from '@perfume/domain/exports';
import type { Item } from '@perfume/domain/items';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { eachEntryPage, type HistoryQuery } from '../history/history.store.ts';
import { toWireEntry } from '../history/wire-entry.ts';
import { Problem } from '../http/problem.ts';
import { type Call, type Deps, serve } from '../http/serve.ts';
import { eachPage } from '../items/items.list.ts';
import { uploadsFolder } from '../pictures/pictures.routes.ts';
import { hasPicture } from '../pictures/pictures.store.ts';
import { eachPageAsOf } from '../time-machine/time-machine.store.ts';
import { sendFile, sendTable, type Table, textOf, watchPages } from './table-file.ts';
import { archiveOf } from './zip.ts';

type EntryQuery = Omit<HistoryQuery, 'limit' | 'after'>;

export function exportRoutes(app: FastifyInstance, deps: Deps & { config: Config }): void {
  const { db, config } = deps;

  const itemTable = (pages: AsyncIterable<readonly Item[]>): Table<Item> => ({
    name: 'items',
    head: itemHead,
    pages,
    toCells: cellsOfItem,
    toJson: (item) => {
      const wire = toWire(item);
      return Object.fromEntries(exportedFields.map(toWireField).map((field) => [field, wire[field]]));
    },
  });

  const historyTable = (query: EntryQuery): Table<WireEntry> => ({
    name: 'history',
    head: entryHead,
    pages: wireEntries(query),
    toCells: cellsOfEntry,
    toJson: (entry) => entry,
  });

  async function* wireEntries(query: EntryQuery): AsyncGenerator<WireEntry[]> {
    for await (const entries of eachEntryPage(db, query)) yield entries.map(toWireEntry);
  }

  serve(app, deps, exportItems, async (call) => {
    const { q = null, stock = null, sort = '-newest', email, at, format } = call.query;
    const own = email === undefined ? null : emailKey(call.user.email);
    if (email !== undefined && emailKey(email) !== own) throw new Problem('email_mismatch');
    if (email !== undefined && at !== undefined)
      throw new Problem('invalid_query', { fields: { at: { code: 'not_both', names: ['email', 'at'] } } });
    const list = { house: call.house, q, stock, sort };
    const pages = at === undefined ? eachPage(db, { ...list, emailKey: own }) : eachPageAsOf(db, { ...list, at });
    return sendTable(call, format, itemTable(pages));
  });

  serve(app, deps, exportHistory, async (call) => {
    const { item = null, kind = null, reason = null, by = null, from = null, to = null, format } = call.query;
    const query = { house: call.house, itemId: item, kind, reason, actorId: by, from, to };
    return sendTable(call, format, historyTable(query));
  });

  serve(app, deps, exportHouse, async (call) =>
    sendFile(call, () => archiveOfHouse(call), { name: 'warehouse', extension: 'zip', type: 'application/zip' }),
  );

  function archiveOfHouse(call: Call<typeof exportHouse>) {
    const { house } = call;
    const everything = { house, q: null, stock: null, sort: '-newest', emailKey: null } as const;
    const always = { house, itemId: null, kind: null, reason: null, actorId: null, from: null, to: null };
    const folder = uploadsFolder(config);
    return archiveOf(async ({ addText, addFile }) => {
      const pictures = new Set<string>();
      const items = itemTable(watchPages(call, notePictures(eachPage(db, everything), pictures)));
      await addText('items.csv', textOf(items, 'csv'));
      for (const name of pictures) {
        await call.requireStillAllowed();
        if (await hasPicture(folder, name)) await addFile(`pictures/${name}`, join(folder, name));
      }
      const history = historyTable(always);
      await addText('history.jsonl', textOf({ ...history, pages: watchPages(call, history.pages) }, 'jsonl'));
    });
  }
}

/** Notes which of our own pictures the items have. */
async function* notePictures(pages: AsyncIterable<readonly Item[]>, pictures: Set<string>) {
  for await (const page of pages) {
    for (const { imageUrl } of page) if (imageUrl.startsWith(UPLOADS)) pictures.add(imageUrl.slice(UPLOADS.length));
    yield page;
  }
}

const UPLOADS = '/uploads/';

const entryHead = [
  'time',
  'kind',
  'item',
  'difference',
  'on hand',
  'person',
  'account mark',
  'changes',
  'reason',
  'note',
  'undoes',
  'undone by',
  'bulk action',
  'item id',
  'id',
];

function cellsOfEntry(entry: WireEntry) {
  return [
    entry.at,
    entry.undoneKind === null ? entry.kind : `${entry.kind} (${entry.undoneKind})`,
    entry.itemName ?? '',
    entry.delta ?? '',
    entry.quantityAfter ?? '',
    entry.by.name,
    entry.by.mark,
    entry.changes.map(({ field, from, to }) => `${field}: ${from ?? ''} → ${to ?? ''}`).join('\n'),
    entry.reason ?? '',
    entry.note ?? '',
    entry.undoes ?? '',
    entry.undoneBy ?? '',
    entry.batch ?? '',
    entry.itemId ?? '',
    entry.id,
  ];
}
