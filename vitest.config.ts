import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{domain,contract,scripts}/**/*.test.{ts,mjs}',
            'web/{src,build}/**/*.test.{ts,tsx}',
            'architecture.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/{src,testing}/**/*.test.ts', 'bench/**/*.test.ts'],
          globalSetup: ['./server/testing/global-setup.ts'],
          pool: 'forks',
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
