import { useSyncExternalStore } from 'react';
import type { Failure } from './bulk-work.ts';

export type JobKind = 'deliver' | 'delete' | 'undo' | 'export' | 'range';

/** Long work under way: one at a time in a tab. It goes on when one leaves the page. */
export type Job = { kind: JobKind; done: number; total: number; cancel: () => void };

/** Rows that were not done, for somebody to read. It offers only what can work. */
export type Report = {
  kind: 'deliver' | 'delete' | 'undo';
  failures: Failure[];
  /** Work ended before every row was tried. */
  unfinished: boolean;
  /** What was done all the same, and the way to take it back. */
  done?: { count: number; text: string; undo: () => void };
  /** Missing where trying again would only fail again. */
  retry?: () => void;
};

let job: Job | null = null;
let report: Report | null = null;
const watchers = new Set<() => void>();

/** Null when something else is under way. Else the signal that tells when somebody has had enough. */
export function beginJob(kind: JobKind, total: number): AbortSignal | null {
  if (job !== null) return null;
  const stop = new AbortController();
  setJob({ kind, done: 0, total, cancel: () => stop.abort() });
  return stop.signal;
}

export function showProgress(done: number, total?: number): void {
  if (job) setJob({ ...job, done, total: total ?? job.total });
}

export function endJob(): void {
  setJob(null);
}

export function currentJob(): Job | null {
  return job;
}

export function setReport(next: Report | null): void {
  report = next;
  tell();
}

export function currentReport(): Report | null {
  return report;
}

export function useJob(): Job | null {
  return useSyncExternalStore(watch, currentJob);
}

export function useReport(): Report | null {
  return useSyncExternalStore(watch, currentReport);
}

function setJob(next: Job | null): void {
  job = next;
  // Closing the page now would leave the work half done, so the browser asks first.
  if (job === null) removeEventListener('beforeunload', ask);
  else addEventListener('beforeunload', ask);
  tell();
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function tell(): void {
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
