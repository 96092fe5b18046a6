// A newer server while a page is open: the page says so, and goes over to it whole when a person says so.
import { Session } from '../lib/agent.js';
import { alive } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';
import { startNewer } from '../lib/newer.js';
import { known } from '../lib/working.js';

test.use({ serviceWorkers: 'allow', lonely: true, viewport: { width: 390, height: 844 } });

test('a new version waits for a press, and no file of the old one is mixed in', async ({ page, server }) => {
  const session = new Session(server.projects);
  session.main.user('Review the parser');
  session.main.start({ title: 'Look', prompt: 'Look at it' });
  await known(server, session);
  const build = await page.evaluate(() => document.documentElement.dataset.hydrated);
  const newer = await startNewer(server.origin, build);
  try {
    await page.goto(server.pairing.replace(server.origin, newer.origin));
    // The link leads to the list by itself.
    await page.waitForURL(`${newer.origin}/`);
    await alive(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await page.getByRole('button', { name: /1 agent/ }).click();
    await expect(page.locator('.sub')).toHaveCount(1);

    newer.change();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    const notice = page.getByRole('link', { name: 'New version: reload' });
    await expect(notice).toBeVisible();
    // It waits: what a person was at is not touched.
    await expect(page.locator('.sub')).toHaveCount(1);
    const files = [];
    page.on('request', (request) => files.push(new URL(request.url()).pathname));
    await notice.click();
    await expect.poll(() => page.evaluate(() => document.querySelector('link[rel=stylesheet]')?.getAttribute('href') ?? '').catch(() => '')).toContain(newer.build);
    await alive(page);
    await expect(page.locator('.sub'), 'what was unfolded still is').toHaveCount(1);
    const pkg = files.filter((path) => path.startsWith('/pkg/'));
    expect(pkg.length).toBeGreaterThan(2);
    expect(pkg.filter((path) => !path.includes(newer.build)), 'files of one build').toEqual([]);
    const caches = await page.evaluate(() => globalThis.caches.keys());
    expect(caches).toContain(`sidedeck-${newer.build}`);
    expect(caches.length, 'the build before is kept, and no older').toBeLessThanOrEqual(2);
  } finally {
    await page.close();
    await newer.stop();
  }
});
