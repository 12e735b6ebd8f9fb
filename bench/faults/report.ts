import { type Change, changesOf } from './changes.ts';
import type { Violation } from './checker.ts';
import type { InjectedFault, Outcome } from './run.ts';
import { type FaultKind, type NetworkFaultKind, networkFaultKinds } from './schedule.ts';

type Report = {
  seed: string;
  acknowledged: number;
  refused: number;
  /** Changes without a response after all retries of the app. */
  unanswered: number;
  lost: number;
  doubled: number;
  otherViolations: number;
  faults: number;
  byKind: { kind: FaultKind; times: number; longestPauseMs: number; unanswered: number }[];
  networkFaults: { kind: NetworkFaultKind; times: number }[];
  seconds: number;
};

function reportOf({ plan, attempts, violations, injectedFaults, seconds }: Outcome): Report {
  const changes = [...changesOf(attempts).values()];
  const count = (kind: Violation['kind']) => violations.filter((violation) => violation.kind === kind).length;
  const [lost, doubled] = [count('lost'), count('doubled')];
  return {
    seed: plan.seed,
    acknowledged: changes.filter(({ acknowledgement }) => acknowledgement).length,
    refused: changes.filter(({ acknowledgement, refusal }) => !acknowledgement && refusal).length,
    unanswered: changes.filter(isUnanswered).length,
    lost,
    doubled,
    otherViolations: violations.length - lost - doubled,
    faults: injectedFaults.length,
    byKind: summariseByKind(injectedFaults, changes),
    networkFaults: networkFaultKinds.map((kind) => ({ kind, times: countPlanned(plan, kind) })),
    seconds,
  };
}

export function print(form: string, outcome: Outcome): void {
  const { byKind, networkFaults, ...rest } = reportOf(outcome);
  console.log(`\n### ${form}: ${outcome.about}\n`);
  console.log(
    '| writes acknowledged | lost | doubled | other violations | refused | unanswered | faults | seconds | seed |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  console.log(
    `| ${rest.acknowledged} | ${rest.lost} | ${rest.doubled} | ${rest.otherViolations} | ${rest.refused} | ${rest.unanswered} | ${rest.faults} | ${Math.round(rest.seconds)} | ${rest.seed} |`,
  );
  console.log(
    '\n| fault | times | longest pause between two acknowledged writes, ms | clicks without a response |\n|---|---|---|---|',
  );
  for (const row of byKind) {
    console.log(`| ${row.kind} | ${row.times} | ${Math.round(row.longestPauseMs)} | ${row.unanswered} |`);
  }
  console.log(`\nNetwork faults: ${networkFaults.map(({ kind, times }) => `${times} × ${kind}`).join(', ')}.`);
  if (outcome.unavailable.length > 0) console.log(`Not possible on this machine: ${outcome.unavailable.join(', ')}.`);
  for (const { kind, what } of outcome.violations.slice(0, MAX_SHOWN)) console.log(`- ${kind}: ${what}`);
  const more = outcome.violations.length - MAX_SHOWN;
  if (more > 0) console.log(`- and ${more} more`);
}

const MAX_SHOWN = 40;

function isUnanswered({ acknowledgement, refusal }: Change): boolean {
  return !acknowledgement && !refusal;
}

function lastSentAt({ attempts }: Change): number {
  return Math.max(...attempts.map(({ sentAt }) => sentAt));
}

/**
 * Summarises what each kind of fault caused: the longest pause between writes, and how many operations gave up. A fault
 * is responsible for the time until the next one.
 */
function summariseByKind(injectedFaults: InjectedFault[], changes: Change[]): Report['byKind'] {
  const acknowledged = changes
    .map((change) => change.acknowledgedAt)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const rows = new Map<FaultKind, Report['byKind'][number]>();
  for (const [index, { kind, injectedAt }] of injectedFaults.entries()) {
    const until = injectedFaults[index + 1]?.injectedAt ?? Number.POSITIVE_INFINITY;
    const row = rows.get(kind) ?? { kind, times: 0, longestPauseMs: 0, unanswered: 0 };
    rows.set(kind, row);
    row.times++;
    row.longestPauseMs = Math.max(row.longestPauseMs, longestPause(acknowledged, injectedAt, until));
    // Operations that gave up after this fault and before the next one count as its effect.
    row.unanswered += changes.filter(
      (change) => isUnanswered(change) && lastSentAt(change) >= injectedAt && lastSentAt(change) < until,
    ).length;
  }
  return [...rows.values()].sort((a, b) => a.kind.localeCompare(b.kind));
}

/** The longest pause between two consecutive times whose later one is in this span. */
function longestPause(times: number[], from: number, until: number): number {
  let longest = 0;
  let before = from;
  for (const time of times) {
    if (time >= until) break;
    if (time >= from) longest = Math.max(longest, time - before);
    before = time;
  }
  return longest;
}

/** How often this network fault was planned for the first transmission of an operation. */
function countPlanned(plan: Outcome['plan'], kind: NetworkFaultKind): number {
  let times = 0;
  for (let client = 0; client < plan.clients; client++) {
    for (let number = 0; number < plan.operationsPerClient; number++) {
      if (plan.networkFault(plan.operation(client, number), 0).kind === kind) times++;
    }
  }
  return times;
}
