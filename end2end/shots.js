// Pictures of every screen of the playing demo, light and dark, in three sizes: node shots.js [FOLDER]
import { mkdirSync } from 'node:fs';
import { chromium } from '@playwright/test';

import { alive, launch, loggedIn } from './lib/browser.js';
import { startServer } from './lib/server.js';

const folder = process.argv[2] ?? new URL('../shots', import.meta.url).pathname;
const sizes = { desk: [1440, 900], tablet: [1024, 768], phone: [390, 844] };
mkdirSync(folder, { recursive: true });

const server = await startServer({ demo: true });
const browser = await chromium.launch(launch);
try {
  const state = await loggedIn(browser, server);
  const session = await running(server);
  const agents = (await server.api(`/api/v1/sessions/${encodeURIComponent(session)}`)).agents.filter((agent) => agent.n > 0);
  const screens = {
    list: '/',
    session: `/s/${encodeURIComponent(session)}`,
    agent: `/s/${encodeURIComponent(session)}/a/${encodeURIComponent(agents[0].id)}`,
    missing: '/s/none',
  };
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, [width, height]] of Object.entries(sizes)) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height }, storageState: state, hasTouch: size === 'phone' });
      const page = await context.newPage();
      for (const [screen, path] of Object.entries(screens)) {
        await page.goto(server.origin + path);
        await alive(page);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        await page.screenshot({ path: `${folder}/${screen}-${size}-${colorScheme}.png` });
      }
      await context.close();
    }
  }
  console.log(`${Object.keys(screens).length * 6} pictures in ${folder}`);
} finally {
  await browser.close();
  await server.stop();
}

/** The demo's session, once at least two of its agents work. */
async function running(server) {
  for (;;) {
    const { sessions } = await server.api('/api/v1/sessions');
    if (sessions[0]?.agents.running >= 2) return sessions[0].id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
