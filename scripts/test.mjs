// Runs all checks in order; a failed step does not stop the next. `npm test` runs every step and
// `npm test -- --only lint,unit` runs two. If only one step is named, further arguments go to its tool.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { reportAsvs } from './asvs.mjs';
import { findOrInstallBrowser } from './browser.mjs';
import { readSupply } from './lock-packages.mjs';
import { prepare } from './prepare.mjs';
import { runToEnd } from './processes.mjs';
import { checkSupply } from './supply-chain.mjs';
import { ExpectedError, print, repository } from './terminal.mjs';
import { closingLine, failureReport, rowForOneTool, rowFromPlaywright, rowsFromVitest, table } from './test-report.mjs';

const results = path.join(os.tmpdir(), `perfume-test-${process.pid}`);
// Tests start the server and its programs often. With a cache of compiled code, a start takes about half the time.
const compileCache = path.join(results, 'compiled');

// Each step shows the output of its tool and returns rows for the final table.
const steps = [
  { names: ['types'], run: checkTypes },
  { names: ['lint'], run: (_, more) => runOneTool('lint', '@biomejs/biome/bin/biome', ['ci', ...more]) },
  { names: ['unused'], run: (_, more) => runOneTool('unused', 'knip/bin/knip.js', more) },
  { names: ['supply'], run: checkSupplyChain },
  { names: ['asvs'], run: checkSecurityClaims },
  { names: ['architecture', 'unit', 'http'], run: runVitest },
  { names: ['browser'], run: runBrowser },
];

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interrupted = true;
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof ExpectedError)) throw error;
  print(error.message);
  process.exitCode = 1;
} finally {
  rmSync(results, { recursive: true, force: true });
}

async function main() {
  const { chosen, more } = readArguments();
  mkdirSync(results, { recursive: true });
  const rows = [];
  for (const step of steps) {
    const names = step.names.filter((name) => chosen.includes(name));
    if (names.length === 0 || interrupted) continue;
    console.log(`\n── ${names.join(', ')} ──`);
    rows.push(...(await step.run(names, more)));
  }
  if (interrupted) return 130;
  console.log(`\n${failureReport(rows)}\n${table(rows)}\n\n${closingLine(rows)}`);
  return rows.some((row) => row.failed > 0) ? 1 : 0;
}

function readArguments() {
  const all = steps.flatMap((step) => step.names);
  const options = { only: { type: 'string', multiple: true } };
  const { values, positionals, tokens } = parseArgs({
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const chosen = values.only ? values.only.flatMap((names) => String(names).split(',')) : all;
  const unknown = chosen.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new ExpectedError(`There is no step ${unknown.join(', ')}: the steps are ${all.join(', ')}.`);
  const otherOptions = tokens.filter((token) => token.kind === 'option' && token.name !== 'only');
  const more = [...otherOptions.map(({ rawName, value }) => (value ? `${rawName}=${value}` : rawName)), ...positionals];
  if (more.length > 0 && chosen.length !== 1)
    throw new ExpectedError(`${more.join(' ')} is for one step only: say which one with --only <step>.`);
  return { chosen, more };
}

async function checkTypes(_, more) {
  const projects = readdirSync(repository).filter((name) => existsSync(path.join(repository, name, 'tsconfig.json')));
  const startedAt = performance.now();
  let ok = true;
  for (const project of projects) {
    ok = (await runTool('typescript/bin/tsc', ['-p', project, ...more])) === 0 && ok;
  }
  return [rowForOneTool('types', ok, secondsSince(startedAt))];
}

async function runOneTool(name, program, args) {
  const startedAt = performance.now();
  const code = await runTool(program, args);
  return [rowForOneTool(name, code === 0, secondsSince(startedAt))];
}

async function checkSupplyChain() {
  const startedAt = performance.now();
  const { faults, counts } = checkSupply(readSupply());
  for (const fault of faults) console.log(`  - ${fault}`);
  console.log(
    `${counts.all} packages in the lock file; ${counts.required} of them are shipped to every machine (limit ${counts.max}), ` +
      `${counts.shipped - counts.required} more on some platforms.`,
  );
  return [rowForOneTool('supply', faults.length === 0, secondsSince(startedAt))];
}

async function checkSecurityClaims() {
  const startedAt = performance.now();
  return [rowForOneTool('asvs', reportAsvs() === 0, secondsSince(startedAt))];
}

async function runVitest(names, more) {
  const startedAt = performance.now();
  const report = path.join(results, 'vitest.json');
  const code = await runTool('vitest/vitest.mjs', [
    'run',
    ...vitestScope(names),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...more,
  ]);
  return rowsFromVitest(readReport(report), { repository, code, names, seconds: secondsSince(startedAt) });
}

function vitestScope(names) {
  const unitProject = names.includes('unit') || names.includes('architecture');
  return [
    ...(unitProject ? ['--project', 'unit', '--project', 'web'] : []),
    ...(names.includes('http') ? ['--project', 'server'] : []),
    ...(names.length === 1 && names[0] === 'architecture' ? ['architecture.test.ts'] : []),
  ];
}

async function runBrowser(_, more) {
  const startedAt = performance.now();
  try {
    const browser = await findOrInstallBrowser();
    await prepare(['web']);
    const report = path.join(results, 'playwright.json');
    const code = await runTool('@playwright/test/cli.js', ['test', '--config', 'e2e', ...more], {
      CHROMIUM_PATH: browser,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    });
    return [rowFromPlaywright(readReport(report), { code, seconds: secondsSince(startedAt) })];
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    print(error.message);
    return [rowForOneTool('browser', false, secondsSince(startedAt))];
  }
}

function runTool(program, args, env = {}) {
  const script = path.join(repository, 'node_modules', program);
  return runToEnd(process.execPath, [script, ...args], {
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...env },
  });
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function secondsSince(startedAt) {
  return (performance.now() - startedAt) / 1000;
}
