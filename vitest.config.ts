import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// What is waited for comes at once; a machine that stands still for a second is no fault of it.
const patient = { poll: { timeout: 10_000 } };

export default defineConfig({
  test: {
    // Left to itself it would keep a processor free for somebody who edits meanwhile.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{domain,contract,scripts}/**/*.test.{ts,mjs}', 'architecture.test.ts'],
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        // What the front end knows is kept in its modules: each file has its own.
        test: { name: 'web', include: ['web/{src,build}/**/*.test.{ts,tsx}'], expect: patient, testTimeout: 60_000 },
      },
      {
        test: {
          name: 'server',
          include: ['server/{src,testing}/**/*.test.ts', '{bench,clients}/**/*.test.ts'],
          globalSetup: ['./server/testing/global-setup.ts'],
          pool: 'forks',
          // Everything a server knows is made by the test that starts it, so files need no process of their own:
          // starting one for each took as long as the tests.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patient,
        },
      },
    ],
  },
});
