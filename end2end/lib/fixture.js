// The test function of all browser tests: a server, a scripted agent's folder, and pages that must stay without an error.
import { test as base, expect } from '@playwright/test';

import { alive } from './browser.js';
import { startServer } from './server.js';

export { expect };

export const test = base.extend({
  /** Play the demo instead of watching a folder. */
  demo: [false, { option: true }],
  /** Further environment of the server. */
  env: [{}, { option: true }],
  /** The server goes away during the test: that it does not answer is no error. */
  lonely: [false, { option: true }],
  /** What a narrow screen asks once was asked before. */
  asked: [true, { option: true }],
  /** Let the client's WASM load. */
  wasm: [true, { option: true }],

  server: async ({ demo, env }, use) => {
    const server = await startServer({ demo, env });
    await use(server);
    await server.stop();
  },

  // Every page of the context is watched: an error anywhere fails the test at its end.
  errors: async ({}, use) => {
    const errors = [];
    await use(errors);
    expect(errors, 'console errors, page errors, CSP reports').toEqual([]);
  },

  // In this order, so that the pages are closed before the server stops: a page that looks for it would count as an error.
  context: async ({ server, errors, wasm, lonely, asked, context }, use) => {
    expect(server.origin).toBeTruthy();
    if (asked) await context.addInitScript(() => location.protocol.startsWith('http') && localStorage.setItem('keep:asked', '1'));
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`, event.target?.outerHTML?.slice(0, 200)));
    });
    context.on('console', (message) => {
      const aborted = !wasm && /wasm|Failed to (load|fetch)/i.test(message.text());
      const alone = lonely && /Failed to load resource|ERR_|Failed to fetch/.test(message.text());
      if (message.type() === 'error' && !aborted && !alone) errors.push(message.text());
    });
    context.on('weberror', (error) => {
      if (wasm) errors.push(String(error.error()));
    });
    if (!wasm) await context.route('**/*.wasm', (route) => route.abort());
    await use(context);
  },

  // A page that is logged in, with `open(path)` that returns when the page is alive.
  page: async ({ page, server, wasm }, use) => {
    page.open = async (path) => {
      await page.goto(server.origin + path);
      if (wasm) await alive(page);
    };
    await page.goto(server.pairing);
    await page.waitForURL((url) => url.pathname === '/');
    if (wasm) await alive(page);
    await use(page);
  },
});
