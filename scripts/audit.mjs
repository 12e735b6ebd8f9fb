// `npm run audit` asks the npm registry for known vulnerabilities of the packages that we ship, and compares them with
// the deadlines in SECURITY.md. It needs the network, so `npm test` does not run it; releases do.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { productPackages, readSupply } from './lock-packages.mjs';
import { runNpm } from './npm.mjs';
import { ExpectedError, print, repository } from './terminal.mjs';

/** Days from the day we know of a vulnerability until it must be fixed, by severity: see SECURITY.md. */
const deadlines = {
  critical: 3,
  high: 14,
  moderate: 60,
  low: Number.POSITIVE_INFINITY,
  info: Number.POSITIVE_INFINITY,
};
/** When we learned of each advisory that is not fixed yet: `{ "GHSA-…": "2026-11-17" }`. */
const KNOWN = 'scripts/known-advisories.json';
const DAY_MS = 24 * 60 * 60 * 1_000;

export async function reportAudit(node) {
  const { output } = await runNpm(['audit', '--json'], node);
  const known = JSON.parse(readFileSync(path.join(repository, KNOWN), 'utf8'));
  const findings = overdue(output, productPackages(readSupply().lock), known, Date.now());
  for (const { id, name, severity, title, verdict } of findings)
    print(`${verdict}: ${name}, ${severity}, ${id} ${title}`);
  const isOverdue = findings.some(({ verdict }) => verdict !== 'in time');
  print(
    isOverdue
      ? `Update these packages. If that has to wait, note the day you learned of a new advisory in ${KNOWN}.`
      : `No shipped package is overdue (${findings.length} known advisories).`,
  );
  return isOverdue ? 1 : 0;
}

/**
 * Returns the advisories for shipped packages in the output of `npm audit --json`: `new` if nobody has noted yet when we
 * learned of it, `overdue` after its deadline, otherwise `in time`.
 */
export function overdue(output, shipped, known, now) {
  const places = new Set(shipped.map(({ place }) => place));
  const advisories = Object.values(reportOf(output).vulnerabilities)
    .filter(({ nodes }) => nodes.some((place) => places.has(place)))
    // A text in `via` names a vulnerable dependency, which has an entry of its own.
    .flatMap(({ name, via }) => via.filter((one) => typeof one === 'object').map((one) => ({ ...one, name })));
  return advisories.map(({ url, name, severity, title }) => {
    const id = url.split('/').at(-1);
    const since = known[id] && Date.parse(known[id]);
    const isLate = now - since > (deadlines[severity] ?? 0) * DAY_MS;
    return { id, name, severity, title, verdict: since ? (isLate ? 'overdue' : 'in time') : 'new' };
  });
}

function reportOf(output) {
  let report;
  try {
    report = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  } catch {
    report = {};
  }
  if (report.auditReportVersion === 2) return report;
  throw new ExpectedError(
    `The registry's advisories could not be read, so nothing was checked: ${report.message ?? output.trim().slice(0, 300)}`,
  );
}
