import { createStore } from '../ui/store.ts';
import type { Failure } from './bulk-work.ts';

export type BulkKind = 'deliver' | 'restock' | 'setReorderPoint' | 'assignCode' | 'delete';
export type JobKind = BulkKind | 'undo' | 'export' | 'range' | 'labels';

/** Long work in this tab, one job at a time. A job continues when the user opens another page of the app. */
export type Job = { kind: JobKind; done: number; total: number; cancel: () => void };

/** The failed rows of a job, shown until the user closes the report. */
export type Report = {
  kind: BulkKind | 'undo';
  failures: Failure[];
  /** The job ended before every row was tried. */
  unfinished: boolean;
  /** The rows that succeeded, and how to undo them. */
  done?: { count: number; text: string; undo: () => void };
  /** Missing where a retry would only fail again. */
  retry?: () => void;
};

const job = createStore<Job | null>(null);
const report = createStore<Report | null>(null);

export const currentJob = job.get;
export const useJob = job.use;
export const currentReport = report.get;
export const setReport = report.set;
export const useReport = report.use;

/** Starts a job and returns the signal that aborts when the user cancels it; null while another job is running. */
export function beginJob(kind: JobKind, total: number): AbortSignal | null {
  if (job.get() !== null) return null;
  const cancelled = new AbortController();
  addEventListener('beforeunload', confirmLeaving);
  job.set({ kind, done: 0, total, cancel: () => cancelled.abort() });
  return cancelled.signal;
}

export function showProgress(done: number, total?: number): void {
  const current = job.get();
  if (current) job.set({ ...current, done, total: total ?? current.total });
}

export function endJob(): void {
  removeEventListener('beforeunload', confirmLeaving);
  job.set(null);
}

/** Makes the browser ask before it closes the page, which would leave the job half done. */
function confirmLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
