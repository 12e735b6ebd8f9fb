import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Polled values normally arrive at once. The long timeout only covers a busy machine that stalls for a second.
const longPolling = { poll: { timeout: 10_000 } };

export default defineConfig({
  test: {
    // By default Vitest leaves one processor unused.
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
        // The front end keeps state in module variables, so each test file needs its own module instances.
        test: {
          name: 'web',
          include: ['web/{src,build}/**/*.test.{ts,tsx}'],
          expect: longPolling,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/{src,testing}/**/*.test.ts', '{bench,clients}/**/*.test.ts'],
          globalSetup: ['./server/testing/global-setup.ts'],
          pool: 'forks',
          // All server state belongs to the app a test starts, so test files can share a process.
          // Starting a process per file took as long as the tests themselves.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: longPolling,
        },
      },
    ],
  },
});
