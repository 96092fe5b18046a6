// The pages: list, conversation, an agent's own page, small screens, what is missing.
import { readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Session } from '../lib/agent.js';
import { expect, test } from '../lib/fixture.js';
import { cards, conversation, entries } from '../lib/view.js';

/** A finished session with one subagent. */
function finished(server) {
  const session = new Session(server.projects);
  session.main.user('Mend the parser').think('Where to begin?').say('I will **look** first.');
  session.main.step('Bash', { command: 'cargo test', description: 'Run the tests' }, 'test failed', { error: true });
  const [child] = session.main.start({ title: 'Read the tokens', prompt: 'Read all tokens', kind: 'Explore' });
  child.say('Only the child says this.').finish('The report of the child.');
  session.main.say('The parser is mended.');
  return { session, child };
}

test('the list is live, newest activity first', async ({ page, server }) => {
  const one = new Session(server.projects);
  one.main.user('First matter');
  await expect(page.getByRole('link', { name: /First matter/ })).toBeVisible();
  const two = new Session(server.projects, { clock: () => Date.now() + 5000 });
  two.main.user('Second matter');
  await expect(page.getByRole('link', { name: /Second matter/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /matter/ }).first()).toContainText('Second matter');
  await page.getByRole('link', { name: /First matter/ }).click();
  await expect(conversation(page)).toContainText('First matter');
});

test('nothing that a subagent says lands in the conversation', async ({ page, server }) => {
  const { session, child } = finished(server);
  await expect(page.getByRole('link', { name: /Mend the parser/ })).toBeVisible();
  await page.open(session.path);
  await expect(conversation(page)).toContainText('The parser is mended.');
  expect((await entries(conversation(page))).join('\n')).not.toContain('Only the child says this.');
  await page.open(child.path);
  await expect(conversation(page)).toContainText('Only the child says this.');
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: /Mend the parser|Back/ }).first().click();
  await expect(page).toHaveURL(server.origin + session.path);
});

/** Writes a session of an hour ago beside the watched folder, and moves it there whole. */
function past(server, write) {
  const then = Date.now() - 3_600_000;
  const session = new Session(join(dirname(server.projects), 'past'), { clock: () => then });
  const files = write(session);
  for (const file of files) utimesSync(file, then / 1000, then / 1000);
  renameSync(session.folder, join(server.projects, '-home-dev-past'));
  return session;
}

test('a call that was left open is not shown running', async ({ page, server }) => {
  const session = past(server, (it) => {
    it.main.user('Look around').think('Hm').call('Bash', { command: 'sleep 9', description: 'Wait for nothing' });
    return [it.main.file];
  });
  await expect(page.getByRole('link', { name: /Look around.*unknown/ })).toBeVisible();
  await page.open(session.path);
  const step = conversation(page).locator('[data-kind="tool"]');
  await expect(step).toHaveAttribute('data-state', 'unknown');
  await expect(step.locator('summary')).toHaveText(/Wait for nothing\s*sleep 9\s*unknown\s*$/);
});

test('a link that is not certain says so', async ({ page, server }) => {
  const session = past(server, (it) => {
    it.main.user('Ask one');
    const [child] = it.main.start({ title: 'The only one', prompt: 'Count the leaves' });
    child.say('Nine leaves.');
    const folder = dirname(child.file);
    for (const name of readdirSync(folder)) if (name.endsWith('.meta.json')) rmSync(join(folder, name));
    return [it.main.file, child.file];
  });
  await expect(page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /Ask one/ }) }).getByRole('button', { name: /1 agent/ })).toBeVisible();
  await page.open(session.path);
  await expect(conversation(page)).toContainText('Link to this step: inferred');
});

test('a session that does not exist leads home', async ({ page, server, errors }) => {
  const answer = await page.goto(`${server.origin}/s/none`);
  expect(answer.status()).toBe(404);
  await page.locator('html[data-hydrated]').waitFor();
  await page.getByRole('main').getByRole('link').first().click();
  await expect(page).toHaveURL(`${server.origin}/`);
  // The browser itself reports the 404 of the page.
  errors.splice(0, errors.length, ...errors.filter((error) => !error.includes('404')));
});

test('hostile text is shown as text', async ({ page, server }) => {
  const session = new Session(server.projects);
  const bad = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  session.main.user(bad).say(`${bad}\n\n[click](javascript:alert(1)) ![picture](https://example.org/a.png)`);
  await expect(page.getByRole('link', { name: /img src/ })).toBeVisible();
  await page.open(session.path);
  await expect(conversation(page).getByText('<script>').first()).toBeVisible();
  expect(await conversation(page).locator('script, img').count()).toBe(0);
  expect(await conversation(page).locator('a[href^="javascript"]').count()).toBe(0);
});

test.describe('without WASM', () => {
  test.use({ wasm: false });

  test('the pages read well and their links work', async ({ page, server }) => {
    const { session } = finished(server);
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole('link', { name: /Mend the parser/ })).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(page.getByRole('alert').filter({ hasText: 'no button works' })).toBeVisible();
    await page.getByRole('link', { name: /Mend the parser/ }).click();
    await expect(page).toHaveURL(server.origin + session.path);
    await expect(conversation(page)).toContainText('The parser is mended.');
    const reasoning = conversation(page).locator('details', { hasText: 'Where to begin?' }).first();
    await reasoning.locator('summary').first().click();
    await expect(reasoning.getByText('Where to begin?').first()).toBeVisible();
    const open = conversation(page).getByRole('link', { name: 'Open card of Read the tokens' });
    await open.click();
    await expect(conversation(page)).toContainText('Only the child says this.');
    await page.goBack();
    await conversation(page).getByRole('link', { name: /Read the tokens/ }).first().click();
    await expect(conversation(page)).toContainText('Only the child says this.');
  });
});

test.describe('on a small screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the agents stand in the order in which they want to be looked at', async ({ page, server }) => {
    const session = new Session(server.projects);
    session.main.user('Order them');
    const [ended] = session.main.start({ title: 'Ended', prompt: 'Go' }, { title: 'Running', prompt: 'Go' });
    ended.finish('Done.');
    await expect(page.getByRole('link', { name: /Order them/ })).toBeVisible();
    await page.open(session.path);
    await page.locator('.strip summary').click();
    await expect(page.locator('.strip .name')).toHaveText(['Running', 'Ended']);
  });

  test('a subagent opens as a page, and there are no cards', async ({ page, server }) => {
    const { session, child } = finished(server);
    await expect(page.getByRole('link', { name: /Mend the parser/ })).toBeVisible();
    await page.open(session.path);
    await expect(cards(page)).toHaveCount(0);
    await conversation(page).getByRole('link', { name: /Read the tokens/ }).first().tap();
    await expect(page).toHaveURL(server.origin + child.path);
    await expect(conversation(page)).toContainText('Only the child says this.');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  });
});
