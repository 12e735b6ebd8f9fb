// npm run bench -- security [--only sqlmap|wapiti|slow] [--database sqlite|postgres] [--seconds 240] [--level 1]
// Runs scanners from Debian against the product, on this machine only. It takes about half an hour.
import { parseArgs } from 'node:util';
import { startPostgres } from '../../server/testing/postgres.ts';
import { startProduct } from './product.ts';
import { runSlow } from './slow.ts';
import { runSqlmap } from './sqlmap.ts';
import { explanationOf, type Finding, installTools } from './tools.ts';
import { runWapiti } from './wapiti.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'sqlmap,wapiti,slow' },
    database: { type: 'string', default: 'postgres' },
    seconds: { type: 'string', default: '240' },
    level: { type: 'string', default: '1' },
  },
});
const programs: Record<string, string> = { sqlmap: 'sqlmap', wapiti: 'wapiti', slow: 'slowhttptest' };
const wanted = values.only.split(',');
installTools(wanted.flatMap((name) => programs[name] ?? []));

const startedAt = performance.now();
const postgres = values.database === 'postgres' ? await startPostgres() : null;
await postgres?.createDatabase('security');
const product = await startProduct(postgres?.url('security') ?? null);
console.log(`the product on ${values.database} at ${product.url}`);
const findings: Finding[] = [];
try {
  if (wanted.includes('slow')) {
    const { findings: slow, lines } = await runSlow(product, 60);
    findings.push(...slow);
    for (const line of lines) console.log(`slowhttptest, ${line}`);
  }
  if (wanted.includes('wapiti')) findings.push(...(await runWapiti(product, Number(values.seconds))));
  if (wanted.includes('sqlmap')) {
    const { findings: sql, tested } = await runSqlmap(product, Number(values.level));
    findings.push(...sql);
    console.log(`sqlmap: ${tested} parameters tested`);
  }
} finally {
  await product.stop();
  await postgres?.stop();
}

console.log(`\n${Math.round((performance.now() - startedAt) / 1_000)} s\n`);
for (const [why, list] of Map.groupBy(findings, explanationOf)) {
  if (why) console.log(`${list.length} × explained: ${list[0]?.what}: ${why}`);
}
const left = findings.filter((finding) => explanationOf(finding) === null);
console.log('\n| tool | where | level | what |\n|---|---|---|---|');
for (const { tool, where, level, what } of left) console.log(`| ${tool} | ${where} | ${level} | ${what.trim()} |`);
const serious = left.filter(({ level }) => level !== 'low');
console.log(`\n${serious.length} findings that are high, medium or unclear; ${left.length - serious.length} low`);
process.exitCode = serious.length === 0 ? 0 : 1;
