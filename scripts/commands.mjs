import { existsSync } from 'node:fs';
import path from 'node:path';
import { reportAsvs } from './asvs.mjs';
import { reportAudit } from './audit.mjs';
import { findOrInstallBrowser } from './browser.mjs';
import { prepare } from './prepare.mjs';
import { runLabelled, runToEnd } from './processes.mjs';
import { writeSbom } from './sbom.mjs';
import { ExpectedError, print, repository } from './terminal.mjs';
import { vitePath } from './web.mjs';

/** Benchmarks that run in a browser. */
const needsBrowser = ['camera', 'dashboard', 'lighthouse', 'offline'];

// The npm scripts: `needs` is what must be built before a command, and `run` is what the command does, on Node 24.
const commands = {
  start: { needs: ['web'], run: (tools) => tools.node(['server/src/main.ts'], { NODE_ENV: 'production' }) },
  dev: { needs: [], run: (tools) => tools.dev() },
  build: { needs: ['web'], run: () => 0 },
  test: { needs: [], run: (tools, args) => tools.test(args) },
  check: {
    needs: [],
    run: (tools, args) => tools.test(['--only', 'types,lint,unused,supply,asvs,architecture', ...args]),
  },
  unit: { needs: [], run: (tools, args) => tools.test(['--only', 'unit', ...args]) },
  migrate: { needs: [], run: (tools) => tools.node(['server/src/programs/migrate.ts']) },
  verify: {
    needs: [],
    run: (tools, args) => tools.node(['server/src/programs/verify.ts', ...args], { NODE_ENV: 'production' }),
  },
  backup: { needs: [], run: (tools, args) => tools.node(['server/src/programs/backup.ts', ...args]) },
  restore: { needs: [], run: (tools, args) => tools.node(['server/src/programs/restore.ts', ...args]) },
  'migrate-to-postgres': {
    needs: [],
    run: (tools, args) => tools.node(['server/src/programs/migrate-to-postgres.ts', ...args]),
  },
  'end-sign-ins': { needs: [], run: (tools, args) => tools.node(['server/src/programs/end-sign-ins.ts', ...args]) },
  'assign-houses': { needs: [], run: (tools, args) => tools.node(['server/src/programs/assign-houses.ts', ...args]) },
  operator: { needs: [], run: (tools, args) => tools.node(['server/src/programs/operator.ts', ...args]) },
  invite: { needs: [], run: (tools, args) => tools.node(['server/src/programs/invite.ts', ...args]) },
  asvs: { needs: [], run: () => reportAsvs() },
  audit: { needs: [], run: (tools) => reportAudit(tools.self) },
  sbom: { needs: [], run: (_, [file]) => writeSbom(file) },
  pictures: {
    needs: ['web'],
    run: async (tools) => tools.node(['scripts/pictures.mjs'], { CHROMIUM_PATH: await findOrInstallBrowser() }),
  },
  bench: {
    needs: [],
    // `npm run bench -- year` runs bench/year.ts or bench/year/main.ts. Without the name of a benchmark, bench/main.ts
    // compares the server with a minimal one.
    run: async (tools, [first, ...rest]) => {
      const named = [`bench/${first}.ts`, `bench/${first}/main.ts`].find((file) =>
        existsSync(path.join(repository, file)),
      );
      const program = named ? [named, ...rest] : ['bench/main.ts', ...(first ? [first, ...rest] : [])];
      const isSeen = needsBrowser.includes(first);
      if (isSeen) await prepare(['web']);
      const browser = isSeen ? { CHROMIUM_PATH: await findOrInstallBrowser() } : {};
      return tools.node(program, { NODE_ENV: 'production', ...browser });
    },
  },
};

export async function runCommand(name, args) {
  try {
    const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
    if (!command) throw new ExpectedError(`Usage: npm run <${Object.keys(commands).join('|')}>`);
    const node = await prepare(command.needs);
    process.exitCode = await command.run(toolsOn(node), args);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    print(error.message);
    process.exitCode = 1;
  }
}

function toolsOn(node) {
  // Node keeps compiled code in this folder, so that a server starts in two thirds of the time.
  const env = { NODE_COMPILE_CACHE: path.join(repository, 'node_modules/.cache/node'), ...node.environment };
  return {
    self: node,
    node: (args, defaults) => {
      const program = path.join(repository, args[0]);
      if (!existsSync(program)) throw new ExpectedError(`${args[0]} is missing from this copy of the repository.`);
      return runToEnd(node.path, [program, ...args.slice(1)], { env: { ...defaults, ...env } });
    },
    test: (args) => {
      // The caller's NODE_ENV must not change how the tests run.
      const { NODE_ENV: _outer, ...testEnv } = env;
      return runToEnd(node.path, [path.join(repository, 'scripts/test.mjs'), ...args], { env: testEnv });
    },
    dev: () => {
      const devEnv = { ...env, NODE_ENV: 'development' };
      return runLabelled([
        { label: 'server', file: node.path, args: ['--watch', 'server/src/main.ts'], cwd: repository, env: devEnv },
        {
          label: 'web',
          file: node.path,
          args: [vitePath()],
          cwd: path.join(repository, 'web'),
          env: devEnv,
        },
      ]);
    },
  };
}
