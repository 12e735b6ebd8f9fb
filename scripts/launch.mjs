// The entry point of every npm script: `node scripts/launch.mjs <command> [arguments]`. Very old versions of Node must
// be able to parse this file, so that it can tell the user to update. The commands are in commands.mjs.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Perfume Warehouse needs Node 20.19 or newer, and this is Node ${process.versions.node}: ` +
      'install Node 24 from nodejs.org and run this again.',
  );
  process.exit(1);
}

import('./commands.mjs').then(({ runCommand }) => runCommand(process.argv[2], process.argv.slice(3)));
