import { Readable } from 'node:stream';
import { toWireActor } from '@perfume/contract/identity';
import {
  applyImport,
  cancelImport,
  changeImport,
  findImport as find,
  IMPORT_BYTES_MAX,
  IMPORT_PROBLEMS_SHOWN,
  importTypes,
  listImports as list,
  readImportProblems,
  startImport,
  type WireImport,
} from '@perfume/contract/transfer';
import { fromWireMapping, toWireField, toWireMapping } from '@perfume/contract/wire-import';
import { csvLine, UTF8_BOM } from '@perfume/domain/csv';
import { sentenceOf } from '@perfume/domain/field-errors';
import { suggestMapping } from '@perfume/domain/imports';
import { isSafeLine } from '@perfume/domain/safe-text';
import { firstCharacters, normalText } from '@perfume/domain/text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import type { Config } from '../config.ts';
import { isForeignKeyViolation } from '../db/core/errors.ts';
import { newId } from '../db/core/ids.ts';
import { bodyPlaces } from '../http/body-places.ts';
import { idOf } from '../http/path-id.ts';
import { personTurns } from '../http/person-turns.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, requireBudget, sendJson, serve } from '../http/serve.ts';
import { identify } from '../http/session.ts';
import type { Identity } from '../identity/identity.ts';
import { checkStoredPicture } from '../pictures/pictures.convert.ts';
import { uploadsFolder } from '../pictures/pictures.routes.ts';
import { hasPicture, pictureName } from '../pictures/pictures.store.ts';
import { storeUpload } from '../pictures/uploads.store.ts';
import { type Choices, checkImport } from './check-import.ts';
import { readFile } from './file-reader.ts';
import type { ImportRunner } from './import-runner.ts';
import {
  findImport,
  firstProblems,
  hasRows,
  type Import,
  type ListedImport,
  lastMapping,
  listImports,
  readBadChunk,
  saveFile,
  setState,
  startRunning,
} from './imports.store.ts';
import { picturesIn } from './read-table.ts';
import { sendFile } from './table-file.ts';

/** Files that are received or read at the same time. Each may hold a few hundred megabytes of memory. */
const PLACES = { ofAll: 2, ofOne: 1 };
/** When others may try again. */
const TRY_AGAIN_S = 5;
/** Checks at the same time. Each remembers the ids and codes of its file. */
const MAX_CHECKS = 2;
/** Of one person. */
const MAX_WAITING_CHECKS = 3;
const NAME_LENGTH_MAX = 100;

type ImportDeps = Deps & { config: Config; identity: Identity; runner: ImportRunner };

export function importRoutes(app: FastifyInstance, deps: ImportDeps): void {
  const { db, clock, whoIs, access, identity, runner, budgets } = deps;
  const pictures = uploadsFolder(deps.config);
  const places = bodyPlaces(PLACES);
  /** The latest check of each import that is being checked. A newer one ends it. */
  const checks = new Map<string, symbol>();
  const checkOfPerson = personTurns({ running: 1, waiting: MAX_WAITING_CHECKS });
  const checkFew = pLimit(MAX_CHECKS);

  // This route has a scope of its own, because its body is not JSON.
  app.register(async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser([...importTypes], { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.addContentTypeParser('*', (_request, _body, done) => done(unreadable({ code: 'not_a_table' })));

    app.route({
      method: startImport.method,
      url: startImport.path,
      config: { endpoint: startImport },
      bodyLimit: IMPORT_BYTES_MAX,
      onRequest: admit,
      onSend: places.onSend,
      handler: (request, reply) =>
        places.work(request, async () => {
          const { body } = request;
          if (!Buffer.isBuffer(body)) throw unreadable({ code: 'table_empty' });
          try {
            // Whoever sends slowly may have lost the right to do this.
            const sender = await senderOf(request, reply);
            const { id, mapping, decimal } = await storeFile(body, sender, request, reply);
            const saved = await findImport(db.query, id);
            if (saved) await check(saved, { mapping, mode: 'both', decimal }, sender.userId);
            return sendJson(reply, 201, await toWire(await found(id)));
          } catch (error) {
            // The account may have been removed meanwhile. Then this refuses the request.
            if (isForeignKeyViolation(error)) await identify(whoIs, startImport, request, reply);
            throw error;
          }
        }),
    });
  });

  async function senderOf(request: FastifyRequest, reply: FastifyReply): Promise<{ userId: string; house: number }> {
    const user = await identify(whoIs, startImport, request, reply);
    const member = await access.enter(startImport, request, user);
    return { userId: user.id, house: member?.house ?? 0 };
  }

  /** Checks the user and the limits before the body is read. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('cache-control', 'no-store');
    const { userId } = await senderOf(request, reply);
    requireBudget(places.isFullFor(userId) ? TRY_AGAIN_S : null, reply);
    places.take(request, reply, userId);
    requireBudget(await identity.attempts.spend('importFile', { ip: request.ip, account: userId }), reply);
  }

  /** Reads a file and stores its rows, its pictures and what its columns seem to hold. */
  async function storeFile(
    body: Buffer,
    { house, userId }: { house: number; userId: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const file = await readFile(body, left.signal);
    if (!file.ok) throw unreadable(file.error);
    for (const picture of picturesIn(body)) {
      left.signal.throwIfAborted();
      await keepArchived(picture, userId, request, reply);
    }
    const now = clock();
    const id = newId(now);
    const { columns, decimal } = file.facts;
    const mapping = (await lastMapping(db.query, house, columns)) ?? suggestMapping(columns);
    const name = fileName((request.query as { name?: unknown }).name);
    await saveFile(db, file, { house, id, name, actorId: userId, at: now, mapping });
    return { id, mapping, decimal };
  }

  /** Stores a picture of an archive, unless it is here already. One that is no picture is left out. */
  async function keepArchived(picture: Buffer, account: string, request: FastifyRequest, reply: FastifyReply) {
    const isKnown = await hasPicture(pictures, pictureName(picture));
    if (!isKnown) {
      requireBudget(await identity.attempts.spend('storedPicture', { ip: request.ip, account }), reply);
      if (!(await checkStoredPicture(picture)).ok) return;
    }
    await storeUpload(db, pictures, picture, clock());
  }

  async function found(id: string): Promise<Import> {
    const one = await findImport(db.query, id);
    if (!one || one.state === 'reading') throw new Problem('import_not_found');
    return one;
  }

  async function check(one: Import, choices: Choices, userId: string): Promise<boolean> {
    const mark = Symbol();
    checks.set(one.id, mark);
    const isCurrent = () => checks.get(one.id) === mark;
    try {
      const isChecked = await checkOfPerson(userId, () => checkFew(() => checkImport(db, one, choices, isCurrent)));
      // The check may have taken long, and what it found names items of the house.
      if (!(await access.mayStill(userId, one.house, 'changeItems'))) throw new Problem('import_not_found');
      return isChecked;
    } finally {
      if (isCurrent()) checks.delete(one.id);
    }
  }

  const importOf = (params: { id: string }) => found(idOf(params, 'import_not_found'));

  async function toWire(one: Import): Promise<WireImport> {
    const problems = await firstProblems(db.query, one.id, IMPORT_PROBLEMS_SHOWN);
    return {
      ...toWireLine(one),
      columns: one.file.columns,
      mapping: toWireMapping(one.mapping),
      mode: one.mode,
      decimal: one.file.decimal,
      encoding: one.file.encoding,
      delimiter: one.file.delimiter,
      header: one.file.header,
      preview: one.file.preview,
      problems: problems.map(({ row, field, error }) => ({
        row,
        field: toWireField(field),
        message: sentenceOf(error),
        error,
      })),
    };
  }

  serve(app, deps, list, async ({ house, reply }) =>
    sendJson(reply, 200, (await listImports(db.query, house)).map(toWireLine)),
  );

  serve(app, deps, find, async ({ params, reply }) => sendJson(reply, 200, await toWire(await importOf(params))));

  serve(app, deps, changeImport, async ({ params, body, user, reply }) => {
    const one = await importOf(params);
    requireNotDone(one);
    if (one.batch !== null) throw new Problem('import_started');
    if (body.mapping.length !== one.file.columns.length)
      throw new Problem('invalid_input', { fields: { mapping: { code: 'too_few', min: one.file.columns.length } } });
    const choices = {
      mapping: fromWireMapping(body.mapping),
      mode: body.mode,
      decimal: body.decimal ?? one.file.decimal,
    };
    if (!(await check(one, choices, user.id))) throw new Problem('import_started');
    return sendJson(reply, 200, await toWire(await found(one.id)));
  });

  serve(app, deps, applyImport, async ({ params, user, now, reply }) => {
    const one = await importOf(params);
    requireNotDone(one);
    if (!(await hasRows(db.query, one))) throw new Problem('import_not_found');
    if (one.state !== 'running') requireBudget(budgets.bulkItems.spend(user.id, one.row_count - one.done), reply);
    await db.change((db) => startRunning(db, one.id, newId(now), now, user.id));
    runner.run(one.id, user.id);
    return sendJson(reply, 202, await toWire(await found(one.id)));
  });

  serve(app, deps, cancelImport, async ({ params, now, reply }) => {
    const one = await importOf(params);
    requireNotDone(one);
    await db.change((db) => setState(db, one.id, 'running', 'ready', now));
    return sendJson(reply, 200, await toWire(await found(one.id)));
  });

  serve(app, deps, readImportProblems, async (call) => {
    const one = await importOf(call.params);
    call.request.rowsRead = one.bad;
    const name = { name: 'not-imported', extension: 'csv', type: 'text/csv; charset=utf-8' };
    return sendFile(call, () => Readable.from(badRows(one)), name);
  });

  /** The rows that are not imported as CSV, a chunk at a time, as fast as they are read. */
  async function* badRows({ id, file }: Import): AsyncGenerator<string> {
    yield UTF8_BOM + csvLine([...file.columns, 'problem']);
    for (let chunk = await readBadChunk(db.query, id, 0); chunk; ) {
      const wrong = Map.groupBy(chunk.problems, ({ row }) => row);
      const lines = chunk.rows.flatMap(([row, cells]) => {
        const why = wrong.get(row)?.map(({ field, error }) => `${toWireField(field)}: ${sentenceOf(error)}`);
        return why ? csvLine([...file.columns.map((_, column) => cells[column] ?? ''), why.join(' · ')]) : [];
      });
      yield lines.join('');
      // SQLite queries are synchronous; this lets other requests run between two chunks.
      await new Promise(setImmediate);
      chunk = await readBadChunk(db.query, id, chunk.first + 1);
    }
  }
}

const unreadable = (error: Parameters<typeof sentenceOf>[0]) =>
  new Problem('invalid_input', { fields: { file: error } });

function requireNotDone({ state }: Import): void {
  if (state === 'done') throw new Problem('import_finished');
}

function toWireLine(one: ListedImport) {
  const { id, name, state, done, row_count: of, batch, added: add, changed: change, skipped, bad } = one;
  return {
    id,
    name,
    state: state === 'reading' ? ('ready' as const) : state,
    done,
    of,
    batch,
    summary: { add, change, skip: skipped + bad, bad },
    by: toWireActor(one.actor_id, one.actor_name),
    at: new Date(one.at).toISOString(),
  };
}

/** The name of the file, for people to recognise it. */
function fileName(given: unknown): string {
  const name = typeof given === 'string' ? firstCharacters(normalText(given.slice(0, 1_000)), NAME_LENGTH_MAX) : '';
  return name !== '' && isSafeLine(name) ? name : 'file';
}
