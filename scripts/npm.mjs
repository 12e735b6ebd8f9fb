import { existsSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from './processes.mjs';

/** Runs the machine's npm on the given Node. */
export function runNpm(args, node) {
  const script = npmScript();
  if (script) return runQuietly(node.path, [script, ...args], { env: node.environment });
  return runQuietly('npm', args, { env: node.environment, shell: process.platform === 'win32' });
}

export function explainNpmFailure(what, output, otherwise) {
  // If the lock file is wrong, npm prints its manual after the reason. The manual is left out.
  const [reason] = output.split(/^.*Clean install a project$/m);
  const lastLines = reason.trim().split('\n').slice(-15).join('\n');
  return [what, '', lastLines, '', adviceFor(output), otherwise].filter((part) => part !== undefined).join('\n');
}

function npmScript() {
  const beside = path.dirname(process.execPath);
  return [
    // npm sets this variable for the scripts it runs; other package managers set it to their own path.
    path.basename(process.env.npm_execpath ?? '') === 'npm-cli.js' ? process.env.npm_execpath : undefined,
    path.join(beside, '../lib/node_modules/npm/bin/npm-cli.js'),
    path.join(beside, 'node_modules/npm/bin/npm-cli.js'),
  ].find((candidate) => candidate && existsSync(candidate));
}

function adviceFor(output) {
  if (/ENOSPC/.test(output)) return 'The disk is full: free some space and run this again.';
  if (/EACCES|EPERM|EROFS/.test(output))
    return 'This folder or npm’s cache is not writable: check who owns it and run this again.';
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output))
    return 'The npm registry could not be reached. Are you online? Behind a proxy, set it with `npm config set https-proxy <address>`; then run this again.';
  if (/CERT|certificate/i.test(output))
    return 'The connection to the npm registry is not trusted: behind a company proxy, set its certificate with NODE_EXTRA_CA_CERTS; then run this again.';
  if (/EUSAGE|not in sync|in sync/.test(output))
    return 'package.json and package-lock.json disagree: run `npm install` once, look at what it changed, and run this again.';
  return 'See npm’s last lines above. If they do not explain it, run this again.';
}
