import { expect, test } from 'vitest';
import { closingLine, failureReport, rowForOneTool, rowFromPlaywright, rowsFromVitest, table } from './test-report.mjs';

const run = { repository: '/r', code: 0, names: ['unit'], seconds: 3 };

test('tests are grouped by the folders of their files', () => {
  const report = {
    testResults: [
      file('/r/domain/a.test.ts', 'passed', 'passed'),
      file('/r/server/src/items/b.test.ts', 'failed', 'skipped'),
      file('/r/bench/c.test.ts', 'passed'),
      file('/r/architecture.test.ts', 'passed'),
    ],
  };
  const rows = rowsFromVitest(report, { ...run, code: 1, names: ['architecture', 'unit', 'http'] });
  expect(rows.map(({ step, passed, failed, skipped }) => [step, passed, failed, skipped])).toEqual([
    ['architecture', 1, 0, 0],
    ['unit', 2, 0, 0],
    ['http', 1, 1, 1],
  ]);
});

test('a file that could not be loaded is a failure', () => {
  const broken = { ...file('/r/domain/a.test.ts'), status: 'failed' };
  expect(rowsFromVitest({ testResults: [broken] }, { ...run, code: 1 })).toMatchObject([{ passed: 0, failed: 1 }]);
});

test('an error outside every test is a failure', () => {
  const rows = rowsFromVitest({ testResults: [file('/r/domain/a.test.ts', 'passed')] }, { ...run, code: 1 });
  expect(closingLine(rows)).toBe('1 passed, 1 failed');
});

test('failures are repeated at the end, with their messages', () => {
  const failing = file('/r/server/src/items/b.test.ts', 'passed', 'failed');
  Object.assign(failing.assertionResults[1], {
    fullName: 'two pull at once',
    failureMessages: ['expected 1\nto be 2'],
  });
  const broken = { ...file('/r/domain/a.test.ts'), status: 'failed', message: 'no such module' };
  const rows = rowsFromVitest({ testResults: [failing, broken] }, { ...run, code: 1, names: ['unit', 'http'] });
  expect(failureReport(rows)).toBe(
    [
      '✘ domain/a.test.ts',
      '    no such module',
      '',
      '✘ server/src/items/b.test.ts › two pull at once',
      '    expected 1',
      '    to be 2',
      '',
    ].join('\n'),
  );
});

test('a requested step that ran nothing is a failure', () => {
  const rows = rowsFromVitest({ testResults: [] }, run);
  expect(closingLine(rows)).toBe('0 passed, 1 failed');
});

test('a tool without a report has failed', () => {
  expect(closingLine(rowsFromVitest(undefined, run))).toBe('0 passed, 1 failed');
  expect(closingLine([rowFromPlaywright(undefined, { code: 0, seconds: 1 })])).toBe('0 passed, 1 failed');
});

test('skipped browser tests are counted separately', () => {
  const stats = { expected: 5, unexpected: 1, skipped: 2 };
  expect(closingLine([rowFromPlaywright({ stats }, { code: 1, seconds: 1 })])).toBe('5 passed, 1 failed, 2 skipped');
});

test('the table has a line for each step', () => {
  expect(table([rowForOneTool('types', true, 1.26), rowForOneTool('lint', false, 10)])).toBe(
    ['step   passed  failed  seconds', 'types       1       0      1.3', 'lint        0       1     10.0'].join('\n'),
  );
});

function file(name, ...states) {
  const status = states.includes('failed') ? 'failed' : 'passed';
  return { name, status, startTime: 0, endTime: 1000, assertionResults: states.map((state) => ({ status: state })) };
}
