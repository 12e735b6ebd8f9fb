import { expect, test } from 'vitest';
import { overdue } from './audit.mjs';

// The format of `npm audit --json`, version 2.
const advisory = (id, severity) => ({
  source: 1,
  name: 'sharp',
  dependency: 'sharp',
  title: 'Overflow',
  url: `https://github.com/advisories/${id}`,
  severity,
  cwe: ['CWE-122'],
  cvss: { score: 8.1, vectorString: null },
  range: '<1.0.0',
});
const found = (name, via, nodes) => ({ name, severity: 'high', isDirect: true, via, effects: [], range: '*', nodes });
const report = {
  auditReportVersion: 2,
  vulnerabilities: {
    sharp: found('sharp', [advisory('GHSA-a', 'high'), advisory('GHSA-b', 'low')], ['node_modules/sharp']),
    wrapper: found('wrapper', ['sharp'], ['node_modules/wrapper']),
    vitest: found('vitest', [advisory('GHSA-c', 'critical')], ['node_modules/vitest']),
  },
  metadata: { vulnerabilities: { total: 3 } },
};
const shipped = [{ place: 'node_modules/sharp' }, { place: 'node_modules/wrapper' }];
const verdicts = (known, now) =>
  overdue(`npm warn something\n${JSON.stringify(report)}\n`, shipped, known, Date.parse(now)).map(
    ({ id, verdict }) => `${id} ${verdict}`,
  );

test('finds new and overdue advisories of shipped packages only', () => {
  expect(verdicts({}, '2026-11-17')).toEqual(['GHSA-a new', 'GHSA-b new']);
  const known = { 'GHSA-a': '2026-11-01', 'GHSA-b': '2026-01-01' };
  expect(verdicts(known, '2026-11-15')).toEqual(['GHSA-a in time', 'GHSA-b in time']);
  expect(verdicts(known, '2026-11-16')).toEqual(['GHSA-a overdue', 'GHSA-b in time']);
});

test('says so when the registry does not answer, instead of finding nothing', () => {
  const refused = JSON.stringify({ message: '405 Method Not Allowed', method: 'POST' });
  for (const output of [refused, '', 'npm error network', '{}'])
    expect(() => overdue(output, shipped, {}, 0)).toThrow('nothing was checked');
});
