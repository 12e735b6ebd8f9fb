import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { ExpectedError, repository } from './terminal.mjs';

const initialParent = process.ppid;

/** Runs a program in the foreground and resolves with its exit code; SIGINT and SIGTERM reach it once. */
export function runToEnd(file, args, { cwd = repository, env = process.env } = {}) {
  return waitForAll([spawn(file, args, { cwd, env, stdio: 'inherit' })]);
}

/** Runs programs in parallel and prefixes each line with a label. When one exits, the others are stopped. */
export function runLabelled(programs) {
  const width = Math.max(...programs.map(({ label }) => label.length));
  return waitForAll(
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

/** Runs a program without showing its output. Resolves with the exit code and the output, for use in error messages. */
export async function runQuietly(file, args, options) {
  const child = spawn(file, args, { cwd: repository, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  // Without this, an install would continue after this process was stopped, and collide with the next install.
  let terminated = false;
  const end = () => {
    terminated = true;
    child.kill('SIGTERM');
  };
  const stopListening = onTermination(end);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve(1);
    });
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  stopListening();
  if (terminated) throw new ExpectedError('Interrupted. The next run will repeat this step.');
  return { code, output };
}

function waitForAll(children) {
  let asked = false;
  const end = () => {
    if (asked) return;
    asked = true;
    // Ctrl-C in a terminal also reaches the children, and npm sends it here a second time. So the children first get a
    // moment to exit. Those that still run get SIGTERM, for example because they are not in the terminal's process
    // group.
    setTimeout(() => children.filter(isRunning).forEach((child) => void child.kill('SIGTERM')), 200).unref();
  };
  // On Windows `kill` ends a process at once, and the console itself notifies every process of Ctrl-C.
  const onSignal = process.platform === 'win32' ? () => {} : end;
  const stopListening = onTermination(onSignal);

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

/** Calls `callback` on a signal or, under npm, when the parent exits. Returns a function that stops listening. */
function onTermination(callback) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, callback);
  // npm starts this process through a shell. It forwards a signal to the shell, which exits without forwarding it; a
  // new parent id shows that the shell has exited.
  const startedByNpm = process.env.npm_lifecycle_event !== undefined;
  const parentWatch = setInterval(() => {
    if (startedByNpm && process.ppid !== initialParent) callback();
  }, 250).unref();
  return () => {
    clearInterval(parentWatch);
    for (const signal of signals) process.off(signal, callback);
  };
}

function isRunning(child) {
  return child.exitCode === null && child.signalCode === null;
}
