// The door of every `npm` script: `node scripts/launch.mjs <verb> [arguments]`.
// This file holds only what the oldest Node can read, so that it can say what is missing; the rest is in verbs.mjs.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Perfume Warehouse needs Node 20.19 or newer, and this is Node ${process.versions.node}: ` +
      'install Node 24 from nodejs.org and run this again.',
  );
  process.exit(1);
}

import('./verbs.mjs').then(({ runVerb }) => runVerb(process.argv[2], process.argv.slice(3)));
