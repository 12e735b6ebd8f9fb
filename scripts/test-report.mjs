import path from 'node:path';

// A row is { step, passed, failed, skipped, seconds, faults? }; `faults` lists the failed tests with their messages.

/** Returns the row of a tool that only succeeds or fails; it counts as one test. */
export function rowForOneTool(step, ok, seconds) {
  return { step, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, seconds };
}

/** Splits the report of one Vitest run into rows by the folders of the test files. */
export function rowsFromVitest(report, { repository, code, names, seconds }) {
  if (!report) return [rowForOneTool(names.join(', '), false, seconds)];
  const groups = Map.groupBy(report.testResults, (file) => groupOf(path.relative(repository, file.name)));
  const rows = ['architecture', 'unit', 'http']
    .filter((name) => groups.has(name))
    .map((name) => {
      const files = groups.get(name);
      return { step: name, ...countTests(files), seconds: spanOf(files), faults: faultsOf(files, repository) };
    });
  const missing = names.filter((name) => !groups.has(name)).map((name) => rowForOneTool(name, false, 0));
  const all = [...rows, ...missing];
  // An error outside every test, such as an unhandled rejection, fails the run without failing a test.
  const explained = code === 0 || all.some((row) => row.failed > 0);
  return explained ? all : [...all, rowForOneTool('vitest itself', false, seconds)];
}

export function rowFromPlaywright(report, { code, seconds }) {
  if (!report) return rowForOneTool('browser', false, seconds);
  const { expected, unexpected, skipped } = report.stats;
  const unexplained = code !== 0 && unexpected === 0 ? 1 : 0;
  return { step: 'browser', passed: expected, failed: unexpected + unexplained, skipped, seconds };
}

export function table(rows) {
  const cells = [
    ['step', 'passed', 'failed', 'seconds'],
    ...rows.map((row) => [row.step, row.passed, row.failed, row.seconds.toFixed(1)].map(String)),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  return cells
    .map((line) => line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '))
    .join('\n');
}

export function closingLine(rows) {
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  const line = `${sum('passed')} passed, ${sum('failed')} failed`;
  return sum('skipped') > 0 ? `${line}, ${sum('skipped')} skipped` : line;
}

/** Lists the failures again for the end of the output, where hundreds of lines of other tests do not hide them. */
export function failureReport(rows) {
  const faults = rows.flatMap((row) => row.faults ?? []);
  return faults.map(({ test, message }) => `✘ ${test}\n${message.replace(/^/gm, '    ')}\n`).join('\n');
}

function groupOf(file) {
  if (/^(?:server|clients|bench)[\\/]/.test(file)) return 'http';
  return file === 'architecture.test.ts' ? 'architecture' : 'unit';
}

function countTests(files) {
  const tests = files.flatMap((file) => file.assertionResults);
  const countOf = (...states) => tests.filter(({ status }) => states.includes(status)).length;
  // A file that could not be loaded, or whose hooks failed, has no failed test.
  const brokenFiles = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  );
  return {
    passed: countOf('passed'),
    failed: countOf('failed') + brokenFiles.length,
    skipped: countOf('skipped', 'pending', 'todo'),
  };
}

const MAX_MESSAGE_LINES = 20;

function faultsOf(files, repository) {
  return files.flatMap((file) => {
    const name = path.relative(repository, file.name);
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (file.status === 'failed' && failed.length === 0) return [{ test: name, message: shortened(file.message) }];
    return failed.map(({ fullName, failureMessages }) => ({
      test: `${name} › ${fullName}`,
      message: shortened(failureMessages?.join('\n')),
    }));
  });
}

function shortened(message = '') {
  return message.split('\n').slice(0, MAX_MESSAGE_LINES).join('\n');
}

function spanOf(files) {
  const first = Math.min(...files.map((file) => file.startTime));
  const last = Math.max(...files.map((file) => file.endTime));
  return Math.max(0, last - first) / 1000;
}
