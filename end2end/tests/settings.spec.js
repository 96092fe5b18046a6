// What a person chooses for this browser.
import { alive } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';
import { card, cards, chip, conversation, rail } from '../lib/view.js';
import { idle, working } from '../lib/working.js';

const choose = async (page, group, option) => page.getByRole('main').getByRole('group', { name: group }).getByRole('radio', { name: option, exact: true }).check();

test('a choice counts in all tabs, and after a reload', async ({ page, server, context }) => {
  await page.open('/settings');
  const other = await context.newPage();
  await other.goto(server.origin);
  await alive(other);
  await choose(page, 'Theme', 'Dark');
  const theme = (tab) => tab.evaluate(() => document.documentElement.dataset.theme ?? '');
  await expect.poll(() => theme(page)).toBe('dark');
  await expect.poll(() => theme(other)).toBe('dark');
  await page.reload();
  await alive(page);
  await expect(page.getByRole('main').getByRole('radio', { name: 'Dark' })).toBeChecked();
  expect(await theme(page)).toBe('dark');
  await choose(page, 'Theme', 'As the system');
  await expect.poll(() => theme(other)).toBe('');
});

test('cards go where a person wants them', async ({ page, server }) => {
  for (const [option, there] of [
    ['Minimise it into the dock', () => expect(chip(page, 'Look')).toHaveAttribute('aria-pressed', 'false')],
    ['Put it beside the conversation', () => expect(rail(page)).toContainText('Please: Look')],
    ['Open nothing', () => expect(conversation(page).getByText('Look').first()).toBeVisible()],
  ]) {
    await page.open('/settings');
    await choose(page, 'When an agent starts', option);
    await working(page, server, 'Look');
    await there();
    await expect(cards(page)).toHaveCount(0);
  }
});

test('reasoning and following are as chosen', async ({ page, server }) => {
  await page.open('/settings');
  await choose(page, 'Reasoning', 'Open');
  await choose(page, 'New entries', 'Stay where I am');
  const session = await idle(page, server);
  session.main.think('First this, then that.');
  session.main.say('Done.');
  await expect(conversation(page).getByText('First this, then that.')).toBeVisible();
  for (let turn = 0; turn < 60; turn += 1) session.main.say(`Turn ${turn}.`);
  await expect(page.getByRole('button', { name: /Jump to latest, \d+ new/ })).toBeVisible();
  await expect(conversation(page).getByText('Turn 59.')).not.toBeInViewport();
});

test('announcements can be off, and read the answers', async ({ page, server }) => {
  const status = page.getByRole('status').last();
  await page.open('/settings');
  await choose(page, 'Announcements', 'Nothing');
  const quiet = await working(page, server, 'Look');
  await expect(card(page, 'Look')).toBeVisible();
  quiet.children[0].finish('Looked.');
  await expect(card(page, 'Look')).toContainText(/finished/i);
  await expect(status).toHaveText('');
  await page.open('/settings');
  await choose(page, 'Announcements', 'Beginnings, ends and failures');
  await working(page, server, 'Listen');
  await expect(status).toHaveText('Listen started.');
});
