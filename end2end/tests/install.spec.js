// The page can be installed: the browser finds nothing missing, and every picture has the size that the manifest tells.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

import { alive, launch } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';

test('nothing is missing for an installation', async ({ server }) => {
  const profile = await mkdtemp(join(tmpdir(), 'sidedeck-profile-'));
  // A context of its own: a browser installs nothing in a private window, which others are.
  const context = await chromium.launchPersistentContext(profile, { ...launch, serviceWorkers: 'allow' });
  try {
    const page = await context.newPage();
    await page.goto(server.pairing);
    await page.waitForURL((url) => url.pathname === '/');
    await alive(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    const cdp = await context.newCDPSession(page);
    const { errors } = await cdp.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    await expect.poll(async () => (await cdp.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);

    const pictures = await page.evaluate(async () => {
      const manifest = await (await fetch('/manifest.webmanifest')).json();
      const all = [...manifest.icons, ...manifest.screenshots, ...manifest.shortcuts.flatMap((shortcut) => shortcut.icons), { src: '/icon-180.png', sizes: '180x180' }];
      return Promise.all(
        all.map(async ({ src, sizes }) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return { src, sizes, found: `${image.naturalWidth}x${image.naturalHeight}` };
        }),
      );
    });
    for (const { src, sizes, found } of pictures) if (sizes !== 'any') expect(found, src).toBe(sizes);
    expect(pictures.length).toBeGreaterThan(8);
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
});
