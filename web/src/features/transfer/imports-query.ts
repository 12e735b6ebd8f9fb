import type { WireImport } from '@perfume/contract/transfer';
import { queryOptions } from '@tanstack/react-query';
import { ApiProblem, call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { limitedForMs, MAX_LIMITED_MS, pause, retryUntilAnswered } from '../../api/retry.ts';
import { type SendOptions, sendFile } from '../../api/send-file.ts';
import type { Archive } from './archive.ts';

export type { WireImport };
export type Choices = Pick<WireImport, 'mapping' | 'mode' | 'decimal'>;

const WHILE_RUNNING_MS = 1_000;

export const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: async ({ signal }) => (await call('GET /imports', { signal })).data,
  refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => state === 'running') ? WHILE_RUNNING_MS : false),
});

export function importQuery(id: string) {
  return queryOptions({
    queryKey: ['import', id],
    queryFn: async ({ signal }) => (await call('GET /imports/:id', { params: { id }, signal })).data,
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? WHILE_RUNNING_MS : false),
  });
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** How often a file is sent again because others are sending theirs: for a minute. */
const MAX_TURNS = 12;

/** Sends a file. Its first bytes tell the server what it is; a workbook is an archive, which begins with "PK". */
export async function sendImport(file: Blob, name: string, options: SendOptions): Promise<WireImport> {
  const isArchive = (await file.slice(0, 2).text()) === 'PK';
  const url = `/imports?${new URLSearchParams({ name })}`;
  for (let left = MAX_TURNS; ; left--) {
    try {
      return keep((await sendFile(url, file, isArchive ? XLSX : 'text/csv', options)) as WireImport);
    } catch (problem) {
      const ms = limitedForMs(problem);
      if (left === 0 || ms === 0 || ms > MAX_LIMITED_MS) throw problem;
      await pause(ms, true, options.signal);
    }
  }
}

/** Sends the pictures of an archive that the server does not have yet. It keeps them for a day, until an item has them. */
export async function sendPictures({ pictures }: Archive, { signal, onSent }: SendOptions): Promise<void> {
  for (const [index, { name, read }] of pictures.entries()) {
    onSent(index / pictures.length);
    const known = await retryUntilAnswered(
      (trying) => fetch(`/uploads/${name}`, { method: 'HEAD', signal: trying }),
      signal,
    );
    if (known.ok) continue;
    const picture = await read();
    await retryUntilAnswered(
      (trying) => sendFile('/uploads?stored=true', picture, 'image/webp', { signal: trying, onSent: () => {} }),
      signal,
    ).catch(skipDamaged);
  }
}

/** The item of a damaged picture is among the problems of the import. */
function skipDamaged(problem: unknown): void {
  if (!(problem instanceof ApiProblem) || problem.code !== 'not_a_picture') throw problem;
}

export async function changeImport(id: string, body: Choices, signal: AbortSignal): Promise<WireImport> {
  return keep((await call('PUT /imports/:id', { params: { id }, body, signal })).data);
}

export async function applyImport(id: string): Promise<WireImport> {
  return keep((await call('POST /imports/:id/apply', { params: { id } })).data);
}

export async function cancelImport(id: string): Promise<WireImport> {
  return keep((await call('POST /imports/:id/cancel', { params: { id } })).data);
}

function keep(one: WireImport): WireImport {
  queryClient.setQueryData(importQuery(one.id).queryKey, one);
  void queryClient.invalidateQueries({ queryKey: importsQuery.queryKey });
  return one;
}
