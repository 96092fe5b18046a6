import { defineConfig } from '@playwright/test';

import { launch } from './lib/browser.js';

export default defineConfig({
  testDir: 'tests',
  outputDir: 'results',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    serviceWorkers: 'block',
    trace: 'retain-on-failure',
    launchOptions: launch,
  },
});
