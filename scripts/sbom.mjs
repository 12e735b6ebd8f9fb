// Writes the software bill of materials (SBOM, CycloneDX 1.5) of a release: every package the product needs at run
// time, with its hash and licence. The same lock file gives the same SBOM. `npm sbom --omit=dev` is not used: it omits
// packages that any workspace also lists as a development dependency, such as pg and zod.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { dependenciesOf, findFrom, productPackages, readSupply } from './lock-packages.mjs';
import { print, repository } from './terminal.mjs';

export function writeSbom(to) {
  const { lock, manifests } = readSupply();
  const { name, version } = manifests[''];
  const file = path.resolve(repository, to ?? `${name}-${version}.cdx.json`);
  const bill = billOf(lock, manifests['']);
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
  print(`${bill.components.length} packages listed in ${path.relative(process.cwd(), file)}`);
  return 0;
}

export function billOf(lock, { name, version, description, license }) {
  const packages = productPackages(lock);
  const known = new Map(packages.map((entry) => [entry.place, purlOf(entry)]));
  const components = unique(packages.map(component), (one) => one['bom-ref']);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([name, version, components]))}`,
    version: 1,
    metadata: {
      component: {
        'bom-ref': purlOf({ name, version }),
        type: 'application',
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl: purlOf({ name, version }),
      },
    },
    components,
    dependencies: unique(
      packages.map((entry) => ({
        ref: purlOf(entry),
        dependsOn: [
          ...new Set(dependenciesOf(entry).flatMap((wanted) => known.get(findFrom(lock, entry.place, wanted)) ?? [])),
        ].sort(),
      })),
      ({ ref }) => ref,
    ),
  };
}

function component(entry) {
  const [scope, short] = entry.name.startsWith('@') ? entry.name.split('/') : [undefined, entry.name];
  return {
    'bom-ref': purlOf(entry),
    type: 'library',
    ...(scope && { group: scope }),
    name: short,
    version: entry.version,
    scope: entry.optional ? 'optional' : 'required',
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(entry.integrity.slice('sha512-'.length), 'base64').toString('hex') },
    ],
    licenses: [/ (?:AND|OR) /.test(entry.license) ? { expression: entry.license } : { license: { id: entry.license } }],
    purl: purlOf(entry),
  };
}

function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Removes duplicates: the same version of a package may be installed in two places, but is listed once. */
function unique(list, keyOf) {
  return [...new Map(list.map((one) => [keyOf(one), one])).values()];
}

/** Derives a UUID (version 8) from a text. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
