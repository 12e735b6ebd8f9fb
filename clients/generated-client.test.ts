import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPassword, ensureUser } from '../server/src/identity/identity.store.ts';
import { passwordHasher } from '../server/src/identity/passwords.ts';
import { type TestApp, testApp } from '../server/src/testing.ts';

const here = import.meta.dirname;
// Compiles with the repository's TypeScript, which is faster. Only the generator needs this workspace's TypeScript 5.
const tsc = join(here, '../node_modules/typescript/bin/tsc');
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: here }).then(
    ({ stdout }) => stdout.trim(),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );

let server: TestApp;
let address = '';
beforeAll(async () => {
  server = await testApp('SQLite');
  address = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

test('a program with generated types and openapi-fetch compiles, and works against a running server', async () => {
  const types = await openapiTS(new URL('/openapi.json', address));
  mkdirSync(join(here, 'artefacts'), { recursive: true });
  writeFileSync(join(here, 'artefacts/api.ts'), astToString(types));
  expect(await run(tsc, '-p', 'tsconfig.program.json')).toBe('');

  const [email, password] = ['ines@house.example', 'quiet otter lamp 7'];
  const now = Date.now();
  const { id } = await ensureUser(server.db, { email, name: 'Ines', emailVerified: true, now });
  await addPassword(server.db, id, await passwordHasher.hash(password), now);
  expect(await run('program.ts', address, email, password)).toBe('done');
}, 180_000);
