import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RETRY_DELAYS_MS, TIMEOUT_MS } from './client.ts';
import { faultKinds, networkFaultKinds, type Plan, planRun } from './schedule.ts';

const OPTIONS = { kinds: faultKinds, faults: 40, clients: 4, spacing: 50, noise: 1 };
const planned = (seed: string) => planRun({ seed, ...OPTIONS });
const everything = (plan: Plan) =>
  Array.from({ length: plan.clients }, (_, client) =>
    Array.from({ length: plan.operationsPerClient }, (_, number) => {
      const operation = plan.operation(client, number);
      return { operation, networkFault: plan.networkFault(operation, 0) };
    }),
  );

test('the same seed gives the same faults, requests and network faults', () => {
  expect(planned('one').faults).toEqual(planned('one').faults);
  expect(everything(planned('one'))).toEqual(everything(planned('one')));
});

test('another seed gives another plan', () => {
  expect(planned('one').faults).not.toEqual(planned('two').faults);
  expect(everything(planned('one'))).not.toEqual(everything(planned('two')));
});

test('every kind of fault occurs before any occurs twice', () => {
  const first = planned('one').faults.slice(0, faultKinds.length);
  expect(new Set(first.map(({ kind }) => kind)).size).toBe(faultKinds.length);
});

test('faults are in chronological order and within the run', () => {
  const plan = planned('one');
  const moments = plan.faults.map(({ at }) => at);
  expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  expect(moments.at(-1)).toBeLessThan(plan.clients * plan.operationsPerClient);
});

test('no two operations share a key', () => {
  const keys = everything(planned('one')).flatMap((operations) => operations.map(({ operation }) => operation.key));
  expect(new Set(keys).size).toBe(keys.length);
});

test('one response in a hundred is cut or lost, and every kind of network fault occurs', () => {
  const plan = planRun({ seed: 'much', ...OPTIONS, spacing: 500 });
  const kinds = everything(plan).flatMap((operations) => operations.map(({ networkFault }) => networkFault.kind));
  const cut = kinds.filter((kind) => kind === 'cut-answer' || kind === 'lost-answer').length / kinds.length;
  expect(cut).toBeGreaterThan(0.007);
  expect(cut).toBeLessThan(0.013);
  expect(new Set(kinds)).toEqual(new Set(['none', ...networkFaultKinds]));
});

test('people retry as long as the app does', () => {
  const app = readFileSync(join(import.meta.dirname, '../../web/src/api/retry.ts'), 'utf8').replaceAll('_', '');
  expect(app).toContain(`const WAITS = [${RETRY_DELAYS_MS.join(', ')}];`);
  expect(app).toContain(`const PATIENCE_MS = ${TIMEOUT_MS};`.replaceAll('_', ''));
});
