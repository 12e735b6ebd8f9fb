// `npm run asvs` counts the requirements of OWASP ASVS 5.0, levels 1 and 2, in docs/security.md. It checks that each is
// listed once and that every file and test named as evidence exists.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { requirementsUpTo } from './asvs-levels.mjs';
import { repository } from './terminal.mjs';

const DOCUMENT = 'docs/security.md';
const states = ['met', 'not applicable', 'not met'];

/** A row of the document: `| 1.2.4 | 1 | met | requirement | evidence |`. */
const ROW = /^\| (\d+\.\d+\.\d+) \| (\d) \| ([^|]+?) \| ([^|]+?) \| ([^|]*?) \|$/;
/** A file named as evidence, in backticks, optionally followed by the name of one of its tests in “…”. */
const NAMED = /`([^`]+)`(?: “([^”]+)”)?/g;

export function reportAsvs() {
  const { faults, table } = checkAsvs(readFileSync(path.join(repository, DOCUMENT), 'utf8'), fileOf);
  console.log(table);
  for (const fault of faults) console.log(`  - ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

export function checkAsvs(text, read) {
  const rows = rowsOf(text);
  const wanted = requirementsUpTo(2);
  const faults = [
    ...wanted.flatMap((requirement) => presenceFaults(requirement, rows)),
    ...rows
      .filter(({ number }) => !wanted.some((one) => one.number === number))
      .map(({ number }) => `${number} is not a requirement of level 1 or 2`),
    ...rows.flatMap((row) => rowFaults(row, read)),
    ...[1, 2]
      .map((level) => summaryOf(rows, level))
      .filter((line) => !text.split('\n').includes(line))
      .map((line) => `this line is missing: ${line}`),
  ];
  return { faults, table: tableOf(rows) };
}

function rowsOf(text) {
  return text.split('\n').flatMap((line) => {
    const [, number, level, state, asks, shownBy] = ROW.exec(line) ?? [];
    return number ? [{ number, level: Number(level), state, asks, shownBy }] : [];
  });
}

function presenceFaults({ number, level }, rows) {
  const found = rows.filter((row) => row.number === number);
  if (found.length !== 1) return [`${number} (level ${level}) appears ${found.length} times`];
  return found[0].level === level ? [] : [`${number} is a requirement of level ${level}, not ${found[0].level}`];
}

function rowFaults({ number, state, shownBy }, read) {
  if (!states.includes(state)) return [`${number} is “${state}”; use one of ${states.join(', ')}`];
  const named = [...shownBy.matchAll(NAMED)].map(([, file, test]) => ({ file, test }));
  if (state !== 'met') return shownBy.split(' ').length < 3 ? [`${number} is ${state}, but no reason is given`] : [];
  if (named.length === 0) return [`${number} is met, but no evidence is given`];
  return named.flatMap(({ file, test }) => {
    const source = read(file);
    if (source === undefined) return [`${number} names ${file}, which does not exist`];
    return test === undefined || source.includes(test)
      ? []
      : [`${number} names a test that is not in ${file}: ${test}`];
  });
}

function summaryOf(rows, level) {
  const counts = states.map((state) => rows.filter((row) => row.level === level && row.state === state).length);
  return `Level ${level}: ${counts.map((count, index) => `${count} ${states[index]}`).join(', ')}.`;
}

function tableOf(rows) {
  const chapters = [...new Set(rows.map(({ number }) => number.split('.')[0]))];
  const count = (chapter, level, state) =>
    rows.filter(
      (row) =>
        (chapter === 'all' || row.number.split('.')[0] === chapter) && row.level === level && row.state === state,
    ).length;
  const heads = [1, 2].flatMap((level) => states.map((state) => `L${level} ${state}`));
  const lines = [...chapters, 'all'].map((chapter) => [
    chapter === 'all' ? 'all' : `V${chapter}`,
    ...[1, 2].flatMap((level) => states.map((state) => String(count(chapter, level, state)))),
  ]);
  const cells = [['', ...heads], ...lines];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  return cells.map((line) => line.map((cell, at) => cell.padStart(widths[at])).join('  ')).join('\n');
}

function fileOf(file) {
  const place = path.join(repository, file);
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
}
