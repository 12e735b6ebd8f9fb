import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { productPackages, readSupply } from './lock-packages.mjs';
import { billOf, writeSbom } from './sbom.mjs';

const { lock, manifests } = readSupply();
const bill = billOf(lock, manifests['']);

test('the bill lists exactly the packages of the product, as the lock file has them', () => {
  const nameOf = ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`;
  const locked = new Set(productPackages(lock).map(({ name, version }) => `${name}@${version}`));
  expect(bill.components.map(nameOf).sort()).toEqual([...locked].sort());
  const listed = new Set(bill.components.map(nameOf));
  const wanted = ['domain', 'contract', 'server', 'web'].flatMap((folder) =>
    Object.entries(manifests[folder].dependencies ?? {}).filter(([name]) => !name.startsWith('@perfume/')),
  );
  expect(wanted.length).toBeGreaterThan(15);
  for (const [name, version] of wanted) expect(listed).toContain(`${name}@${version}`);
});

test('each package carries the hash of the lock file, a licence and an address for scanners', () => {
  const integrity = lock.packages['node_modules/fastify'].integrity;
  const fastify = bill.components.find(({ name }) => name === 'fastify');
  expect(fastify).toMatchObject({ scope: 'required', purl: `pkg:npm/fastify@${fastify.version}` });
  expect(`sha512-${Buffer.from(fastify.hashes[0].content, 'hex').toString('base64')}`).toBe(integrity);
  for (const { hashes, licenses, purl } of bill.components) {
    expect([hashes[0].content.length, licenses.length, purl.startsWith('pkg:npm/')]).toEqual([128, 1, true]);
  }
});

test('the bill contains all dependencies between packages', () => {
  const refs = new Set(bill.components.map((component) => component['bom-ref']));
  for (const { ref, dependsOn } of bill.dependencies) {
    for (const one of [ref, ...dependsOn]) expect(refs).toContain(one);
  }
  const pg = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/pg@'));
  expect(pg.dependsOn.join(' ')).toContain('pkg:npm/pg-types@');
});

test('the same lock file gives the same bill, and another one another serial number', () => {
  expect(billOf(lock, manifests[''])).toEqual(bill);
  const other = structuredClone(lock);
  other.packages['node_modules/fastify'].version = '5.99.0';
  expect(billOf(other, manifests['']).serialNumber).not.toBe(bill.serialNumber);
});

test('the bill is written to the given file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'perfume-sbom-'));
  const file = path.join(folder, 'bill.cdx.json');
  expect(writeSbom(file)).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(bill);
  rmSync(folder, { recursive: true });
});
