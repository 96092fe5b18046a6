// Pictures of the card layer in its states, light and dark, and of what a phone has in its place: node layers.js [FOLDER]
import { mkdirSync } from 'node:fs';
import { chromium } from '@playwright/test';

import { Session } from './lib/agent.js';
import { alive, launch, loggedIn } from './lib/browser.js';
import { startServer } from './lib/server.js';
import { card, choose, chooseForAll, dock, press, search } from './lib/view.js';

const folder = process.argv[2] ?? new URL('../shots', import.meta.url).pathname;
const titles = ['Map every caller', 'Review the schema', 'Write the migration', 'Run the soak test', 'Read the HTTP client', 'Check the docs', 'Trace the retries', 'Time the import', 'List the flags', 'Compare parsers', 'Read the lease code', 'Draft the notes'];
mkdirSync(folder, { recursive: true });

const server = await startServer();
const browser = await chromium.launch(launch);
try {
  const storageState = await loggedIn(browser, server);
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of Object.entries({ desk: { width: 1440, height: 900 }, small: { width: 1024, height: 768 } })) {
      const context = await browser.newContext({ colorScheme, viewport, storageState });
      const page = await context.newPage();
      await states(page, (name) => page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png` }));
      await context.close();
    }
    const context = await browser.newContext({ colorScheme, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, storageState });
    const page = await context.newPage();
    await onPhone(page, (name) => page.screenshot({ path: `${folder}/${name}-phone-${colorScheme}.png` }));
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}

async function states(page, shot) {
  const session = new Session(server.projects);
  session.main.user('Move the retry queue onto the new ledger. Keep the old format readable, and don’t touch the public API.');
  session.main.think('Who calls this? The queue, the client, perhaps the importer.');
  session.main.say('I’ll split this: one agent maps every caller, others check the rest while we work.');
  session.main.call('TodoWrite', { todos: ['Read the old queue', 'Start the agents', 'Wait for the caller map', 'Write the adapter'].map((content, at) => ({ content, activeForm: content, status: ['completed', 'completed', 'in_progress', 'pending'][at] })) });
  await page.waitForTimeout(1500);
  await page.goto(server.origin + session.path);
  await alive(page);
  const [one] = start(session, titles.slice(0, 1));
  await card(page, titles[0]).getByText('12 callers').waitFor();
  await page.waitForTimeout(900);
  await shot('one');
  await press(card(page, titles[0]), 'Maximise');
  await page.waitForTimeout(300);
  await shot('maximised');
  await press(card(page, titles[0]), 'Restore size');
  await press(card(page, titles[0]), 'Card menu');
  await page.waitForTimeout(300);
  await shot('menu');
  await page.keyboard.press('Escape');
  const rest = start(session, titles.slice(1));
  const [grandchild] = one.start({ title: 'Read a caller', prompt: 'Read it.', kind: 'Explore' });
  grandchild.say('It only pushes.');
  session.stray('Nobody’s agent').say('Nobody sent me.');
  rest[2].finish('Done.');
  rest[3].finish('Exit 101 after 62 s.', { error: true });
  await page.waitForTimeout(2500);
  await shot('overflow');
  await dock(page).getByRole('button', { name: /more/ }).click();
  await page.waitForTimeout(300);
  await shot('more');
  await page.keyboard.press('Escape');
  await chooseForAll(page, 'Restore all');
  await chooseForAll(page, 'Tile');
  await page.waitForTimeout(600);
  await shot('twelve');
  await chooseForAll(page, 'Minimise all');
  for (const title of titles.slice(0, 3)) {
    await search(page, title);
    await page.keyboard.press('Enter');
    await search(page, `put beside ${title}`);
    await page.keyboard.press('Enter');
  }
  await page.waitForTimeout(600);
  await shot('rail');
  await search(page, 'Review the schema');
  await page.keyboard.press('Escape');
  await dock(page).getByRole('button', { name: /without a parent/ }).click();
  await page.waitForTimeout(600);
  await shot('tray');
  await dock(page).getByRole('button', { name: /^To do/ }).click();
  await page.waitForTimeout(600);
  await shot('todo');
  await search(page, 'm');
  await page.waitForTimeout(300);
  await shot('palette');
  await page.keyboard.press('Escape');
  await search(page, '?');
  await page.waitForTimeout(300);
  await shot('shortcuts');
  await page.goto(`${server.origin}/settings`);
  await alive(page);
  await shot('settings');
}

async function onPhone(page, shot) {
  const session = new Session(server.projects);
  session.main.user('Move the retry queue onto the new ledger. Keep the old format readable.');
  const children = start(session, titles);
  children[3].finish('Exit 101 after 62 s.', { error: true });
  session.stray('Nobody’s agent').say('Nobody sent me.');
  await page.waitForTimeout(1500);
  await page.goto(server.origin + session.path);
  await alive(page);
  await shot('session');
  await page.getByText('Map every caller').last().tap();
  await page.getByText('12 callers').waitFor();
  await shot('agent');
  await page.locator('.bar .menu > summary').tap();
  await page.waitForTimeout(400);
  await shot('menu');
  await page.keyboard.press('Escape');
  await search(page, 'm');
  await page.waitForTimeout(300);
  await shot('palette');
  await page.goto(`${server.origin}/settings`);
  await alive(page);
  await shot('settings');
}

function start(session, titles) {
  const children = session.main.start(...titles.map((title) => ({ title, prompt: `${title}, read-only. Say what it expects back.`, kind: 'Explore' })));
  for (const child of children) {
    child.step('Grep', { pattern: 'RetryQueue' }, 'src/a.rs:1\nsrc/b.rs:2').think('Two files to read.');
    child.step('Read', { file_path: '/home/dev/demo/src/queue/retry.rs' }, 'fn retry() {}').say('There are **12 callers**; 9 only push. The `lease` column is read by v1.');
    child.call('Bash', { command: 'cargo test retry', description: 'Run the retry tests' });
  }
  return children;
}
