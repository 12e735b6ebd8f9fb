import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { anyScreen, isLongForm } from './form.ts';

// The runner asks for its report in a file of its own; by hand it lands among the artefacts.
const report = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? 'artefacts/results.json';

export default defineConfig({
  testMatch: '*.spec.ts',
  outputDir: 'artefacts/tests',
  reporter: [['list'], ['json', { outputFile: report }]],
  forbidOnly: true,
  // Each worker has a product of its own. More than two browsers on a small machine only wait for each other.
  workers: Math.min(2, availableParallelism()),
  // What is waited for comes at once; a machine that is busy with something else is no fault of it. Nothing is retried.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    screenshot: 'only-on-failure',
    // Recording every step makes a test take half as long again; by hand: npx playwright test --trace on.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '',
      args: [
        '--no-sandbox',
        // One site, so nothing to keep apart: a twentieth less work.
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
      // Drawing motion is a tenth of the work; the phone shows it.
      use: { viewport: { width: 1366, height: 900 }, contextOptions: { reducedMotion: 'reduce' } },
    },
    {
      name: 'phone',
      // The same on every screen.
      testIgnore: /(?:words|docs|live|manage-many|xss)\.spec\.ts$/,
      ...(!isLongForm && { grepInvert: new RegExp(anyScreen.tag) }),
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
