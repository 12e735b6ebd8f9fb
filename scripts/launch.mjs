// The entry of every npm script: `node scripts/launch.mjs <command> [arguments]`.
// This file uses only syntax that very old Node versions can parse, so that it can report them; the rest is in commands.mjs.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Perfume Warehouse needs Node 20.19 or newer, and this is Node ${process.versions.node}: ` +
      'install Node 24 from nodejs.org and run this again.',
  );
  process.exit(1);
}

import('./commands.mjs').then(({ runCommand }) => runCommand(process.argv[2], process.argv.slice(3)));
