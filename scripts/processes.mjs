import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { repository, Stop } from './say.mjs';

const parentAtStart = process.ppid;

/** Runs a program in the foreground and resolves with its exit code; SIGINT and SIGTERM reach it once. */
export function runToEnd(file, args, { cwd = repository, env = process.env } = {}) {
  return untilAllEnded([spawn(file, args, { cwd, env, stdio: 'inherit' })]);
}

/** Runs programs side by side, each line marked with its label; when one ends, the others are ended too. */
export function runLabelled(programs) {
  const width = Math.max(...programs.map(({ label }) => label.length));
  return untilAllEnded(
    programs.map(({ label, file, args, cwd, env }) => {
      const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const [from, to] of [
        [child.stdout, process.stdout],
        [child.stderr, process.stderr],
      ]) {
        createInterface({ input: from }).on('line', (line) => to.write(`${label.padEnd(width)} | ${line}\n`));
      }
      return child;
    }),
  );
}

/** Runs a program unseen and resolves with what it wrote; for steps whose output matters only when they fail. */
export async function runQuietly(file, args, options) {
  const child = spawn(file, args, { cwd: repository, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  // Left alone, an install would go on after this process was told to end, and meet the next start's.
  let toldToEnd = false;
  const end = () => {
    toldToEnd = true;
    child.kill('SIGTERM');
  };
  const stopListening = whenToldToEnd(end);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve(1);
    });
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  stopListening();
  if (toldToEnd) throw new Stop('Stopped before it was done; the next start does it again.');
  return { code, output };
}

function untilAllEnded(children) {
  let asked = false;
  const end = () => {
    if (asked) return;
    asked = true;
    // Ctrl-C in a terminal has reached the children already, and npm sends it here a second time. They get a
    // moment to end on their own; whoever was not in the terminal's group is told now, once, by the other signal.
    setTimeout(() => children.filter(isRunning).forEach((child) => void child.kill('SIGTERM')), 200).unref();
  };
  // On Windows `kill` is immediate and the console tells every process itself.
  const onSignal = process.platform === 'win32' ? () => {} : end;
  const stopListening = whenToldToEnd(onSignal);

  const ended = new Promise((resolve, reject) => {
    let exitCode;
    for (const child of children) {
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        exitCode ??= code ?? 128 + constants.signals[signal];
        if (!children.some(isRunning)) resolve(exitCode);
        else end();
      });
    }
  });
  return ended.finally(stopListening);
}

/** Calls back on a signal, and when the npm that started us was ended; returns how to stop listening. */
function whenToldToEnd(callback) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, callback);
  // npm passes a signal on to the shell between it and us, and the shell dies of it without telling us.
  const startedByNpm = process.env.npm_lifecycle_event !== undefined;
  const parentWatch = setInterval(() => {
    if (startedByNpm && process.ppid !== parentAtStart) callback();
  }, 250).unref();
  return () => {
    clearInterval(parentWatch);
    for (const signal of signals) process.off(signal, callback);
  };
}

function isRunning(child) {
  return child.exitCode === null && child.signalCode === null;
}
