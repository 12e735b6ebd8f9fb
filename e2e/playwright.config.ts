import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { anyScreen, isLongForm, phoneOnly } from './form.ts';

// `npm test` names a file for the report. Without that, the report is among the artefacts.
const report = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? 'artefacts/results.json';

export default defineConfig({
  testMatch: '*.spec.ts',
  outputDir: 'artefacts/tests',
  reporter: [['list'], ['json', { outputFile: report }]],
  forbidOnly: true,
  // Each worker starts its own server and browser. On a small machine, more than two would only slow each other down.
  workers: Math.min(2, availableParallelism()),
  // Expected states normally appear at once; the long timeouts only cover a busy machine. Nothing is retried.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    screenshot: 'only-on-failure',
    // Recording traces makes tests take 50 % longer. To record one: npx playwright test --trace on.
    trace: 'off',
    // A service worker would answer requests that a test wants to answer. offline.spec.ts allows it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '',
      args: [
        '--no-sandbox',
        // The tests use only one site. Without site isolation they take a twentieth less time.
        '--disable-site-isolation-trials',
        '--renderer-process-limit=1',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    {
      name: 'desktop',
      // Without animations, the tests take a tenth less time. The phone project has animations.
      ...(!isLongForm && { grepInvert: new RegExp(phoneOnly.tag) }),
      use: { viewport: { width: 1366, height: 900 }, contextOptions: { reducedMotion: 'reduce' } },
    },
    {
      name: 'phone',
      // The tests in these files do not depend on the screen size.
      testIgnore: /(?:words|docs|live|manage-many|xss)\.spec\.ts$/,
      ...(!isLongForm && { grepInvert: new RegExp(anyScreen.tag) }),
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
