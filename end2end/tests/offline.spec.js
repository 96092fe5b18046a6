// Without a server: what was opened can be read, in the shell that the worker keeps; when the server is back only what was missed travels.
import { violations } from '../lib/axe.js';
import { Session } from '../lib/agent.js';
import { alive } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';
import { startServer } from '../lib/server.js';
import { conversation, entries } from '../lib/view.js';
import { known } from '../lib/working.js';

test.use({ serviceWorkers: 'allow', lonely: true, viewport: { width: 390, height: 844 } });

const ask = (page, job, ...args) => page.evaluate(async ([job, args]) => JSON.parse((await globalThis.keeper.ask(job, args)) ?? 'null'), [job, JSON.stringify(args)]);
const saved = (page, session) => expect.poll(async () => (await ask(page, 'state', session.id)).saved).toBeGreaterThan(0);
const pill = (page) => page.getByText(/^Saved \d\d:\d\d, offline$/).filter({ visible: true });

/** A session with an ended agent, kept by this browser, and the worker in charge. */
async function kept(page, server) {
  const session = new Session(server.projects);
  session.main.user('Review the parser');
  const [child] = session.main.start({ title: 'Look', prompt: 'Look at it' });
  child.step('Read', { file_path: '/home/dev/demo/src/a.rs' }, 'fn secret_of_the_child() {}').say('It is fine.').finish('All fine.');
  session.main.say('Then we are done.');
  await known(server, session);
  await page.evaluate(() => localStorage.setItem('set:keep', 'on'));
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.open('/');
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  for (const path of [session.path, child.path]) {
    await page.open(path);
    await expect(conversation(page)).toBeVisible();
    await saved(page, session);
  }
  await expect.poll(async () => (await ask(page, 'session', session.id, child.id, null)) !== null).toBe(true);
  return { session, child };
}

test('saved transcripts open without a server, and go on when it is back', async ({ page, server }) => {
  test.slow();
  const { session, child } = await kept(page, server);
  await page.open(session.path);
  await expect(conversation(page)).toContainText('Then we are done.');
  const before = await entries(conversation(page));
  await server.halt();

  await page.reload();
  await alive(page);
  await expect(pill(page)).toBeVisible();
  expect(await entries(conversation(page))).toEqual(before);
  expect((await violations(page)).broken, 'offline').toEqual([]);

  await page.goto(server.origin);
  await alive(page);
  await page.getByRole('button', { name: /1 agent/ }).click();
  await page.locator('.sub > a', { hasText: 'Look' }).click();
  await expect(conversation(page)).toContainText('It is fine.');
  await expect(pill(page)).toBeVisible();
  // What stands behind a step, as it came.
  await conversation(page).getByText('src/a.rs').first().click();
  await expect(conversation(page)).toContainText('secret_of_the_child');
  await page.goto(server.origin + session.path);
  await alive(page);
  await expect(pill(page)).toBeVisible();

  session.main.say('One more word.');
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url())));
  const again = await startServer({ after: server });
  try {
    await expect(conversation(page)).toContainText('One more word.', { timeout: 60_000 });
    await expect(pill(page)).toHaveCount(0);
    const stream = asked.findLast((url) => url.pathname === '/api/v1/events');
    expect(Number(stream.searchParams.get('after').split('.')[2]), 'only what was missed travels').toBeGreaterThan(3);
    const live = await entries(conversation(page));
    // The copy is made whole by the difference alone.
    const answer = page.waitForResponse((answer) => answer.url().includes('/changes?after='));
    await page.reload();
    await alive(page);
    const { changes } = await (await answer).json();
    expect(changes.filter((change) => change.put === 'entry').length).toBeLessThanOrEqual(1);
    expect(await entries(conversation(page))).toEqual(live);
    expect(child.id).toBeTruthy();
  } finally {
    await page.close();
    await again.halt();
  }
});

test('a page that cannot reach its server says how old it is, until it knows', async ({ page, server }) => {
  const session = new Session(server.projects);
  session.main.user('Review the parser');
  await known(server, session);
  await page.clock.install();
  await page.open(session.path);
  await expect(conversation(page)).toContainText('Review the parser');
  await server.halt();
  await expect(page.getByText('Reconnecting')).toBeVisible();
  await page.clock.fastForward('03:10');
  await expect(page.getByText('Last known 3 min ago').first()).toBeVisible();
  session.main.say('Here again.');
  const again = await startServer({ after: server });
  try {
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(conversation(page)).toContainText('Here again.');
    await expect(page.getByText(/Last known|Reconnecting/)).toHaveCount(0);
  } finally {
    await page.close();
    await again.halt();
  }
});

test('what is deleted is gone from the copy, and a logout takes all of it', async ({ page, server }) => {
  const { session, child } = await kept(page, server);
  session.main.line('system', { subtype: 'turn_duration', durationMs: 5 });
  await page.open('/');
  await page.getByRole('button', { name: /1 agent/ }).click();
  await page.getByRole('button', { name: 'Select' }).click();
  await page.locator('.sub > a', { hasText: 'Look' }).click();
  await page.getByRole('button', { name: 'Delete 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.locator('.sub')).toHaveCount(0);
  await expect.poll(() => everything(page)).not.toContain('secret_of_the_child');
  expect(await ask(page, 'session', session.id, child.id, null)).toBe(null);
  expect(await everything(page)).toContain('Then we are done.');

  await page.open('/settings');
  await page.getByRole('button', { name: 'Log out this browser' }).click();
  await page.waitForURL((url) => url.pathname === '/pair');
  expect(await everything(page)).toBe('');
});

test('what cannot be kept is told in words, and nothing else suffers', async ({ page, server }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('refused', 'SecurityError');
    };
  });
  const session = new Session(server.projects);
  session.main.user('Review the parser').say('Done.');
  await known(server, session);
  await page.open(session.path);
  await expect(conversation(page)).toContainText('Done.');
  await page.getByRole('banner').getByLabel('Menu').click();
  await page.getByRole('button', { name: 'Save for reading offline' }).click();
  await expect(page.getByRole('button', { name: /keeps nothing for offline reading/ })).toBeVisible();
});

test('a full disk is told in words', async ({ page, server }) => {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  const session = new Session(server.projects);
  session.main.user('Review the parser').say('Done.');
  await known(server, session);
  await page.open(session.path);
  await page.getByRole('banner').getByLabel('Menu').click();
  await page.getByRole('button', { name: 'Save for reading offline' }).click();
  await expect(page.getByRole('button', { name: /no room left on this device/ })).toBeVisible();
});

test('a whole session is saved on demand, and a damaged copy is made anew', async ({ page, server }) => {
  await page.evaluate(
    () =>
      new Promise((done) => {
        const request = indexedDB.open('sidedeck', 1);
        request.onupgradeneeded = () => request.result.createObjectStore('else');
        request.onsuccess = () => done(request.result.close());
      }),
  );
  const session = new Session(server.projects);
  session.main.user('Review the parser');
  const [child] = session.main.start({ title: 'Look', prompt: 'Look at it' });
  child.say('It is fine.');
  await known(server, session);
  await page.open(session.path);
  await page.getByRole('banner').getByLabel('Menu').click();
  await page.getByRole('button', { name: 'Save for reading offline' }).click();
  await expect(page.getByRole('button', { name: /^Saved \d\d:\d\d, with all agents$/ })).toBeVisible();
  expect(JSON.stringify(await ask(page, 'session', session.id, child.id, null))).toContain('It is fine.');
});

test('the worker leaves streams, calls and pairing alone', async ({ page, server }) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.open('/');
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const answers = [];
  page.on('response', (answer) => answers.push([new URL(answer.url()).pathname, answer.fromServiceWorker()]));
  const session = new Session(server.projects);
  session.main.user('Review the parser');
  await known(server, session);
  await page.open(session.path);
  await page.evaluate(() => fetch('/api/pair', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }));
  await expect.poll(() => answers.some(([path]) => path === '/api/v1/events')).toBe(true);
  for (const [path, worker] of answers.filter(([path]) => path.startsWith('/api/'))) expect(worker, path).toBe(false);
  expect(answers.some(([path, worker]) => path.endsWith('.wasm') && worker), 'files come from the worker').toBe(true);
  const shell = await page.evaluate(async () => (await caches.match('/shell')).text());
  expect(shell).toContain('<body></body>');
});

/** All that this browser keeps of transcripts, as text. */
function everything(page) {
  return page.evaluate(async () => {
    const texts = [];
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of db.objectStoreNames) {
        const rows = await new Promise((resolve) => {
          db.transaction(store).objectStore(store).getAll().onsuccess = (event) => resolve(event.target.result);
        });
        if (rows.length) texts.push(JSON.stringify(rows));
      }
      db.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        if (!/\.(wasm|png)$/.test(request.url)) texts.push(await (await cache.match(request)).text());
      }
    }
    return texts.filter((text) => !text.includes('<!DOCTYPE html>') && !text.startsWith('/*') && !/keeper|sidedeck\./.test(text.slice(0, 400))).join('\n');
  });
}
