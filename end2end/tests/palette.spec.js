// The command palette: everything by typing.
import { expect, test } from '../lib/fixture.js';
import { card, cards, conversation, press, rail, search } from '../lib/view.js';
import { idle, known, working } from '../lib/working.js';
import { Session } from '../lib/agent.js';

test('an agent, an entry and a session are found by typing', async ({ page, server }) => {
  const other = new Session(server.projects);
  other.main.user('Draft the release notes');
  await known(server, other);
  const { session } = await working(page, server, 'Read the tokens');
  await press(card(page, 'Read the tokens'), 'Close');
  await expect(cards(page)).toHaveCount(0);
  for (let turn = 0; turn < 60; turn += 1) session.main.say(`Turn ${turn} is about ${turn === 7 ? 'a quokka' : 'nothing'}.`);
  await expect(conversation(page).getByText('Turn 59 ')).toBeInViewport();

  const found = await search(page, 'read tokens');
  await expect(found.first()).toContainText('Read the tokens');
  await page.keyboard.press('Enter');
  await expect(card(page, 'Read the tokens')).toBeVisible();
  await expect(card(page, 'Read the tokens').getByRole('button', { name: 'Read the tokens' })).toBeFocused();

  await search(page, 'quokka');
  await page.keyboard.press('Enter');
  await expect(conversation(page).getByText('a quokka')).toBeInViewport();
  session.main.say('And on.');
  await expect(page.getByRole('button', { name: /Jump to latest, 1 new/ })).toBeVisible();
  await expect(conversation(page).getByText('a quokka')).toBeInViewport();

  await search(page, 'release notes');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === other.path);
});

test('it opens on every page, and finds what the menu holds', async ({ page, server, errors }) => {
  const session = await idle(page, server);
  session.main.say('There are **twelve callers** of `retry`.');
  await expect(conversation(page).getByText('twelve callers')).toBeVisible();
  await search(page, 'twelve callers of retry');
  await expect(page.getByRole('option').first()).toHaveText(/^There are twelve callers of retry\.\s*Entry$/);
  const act = async (text) => {
    await search(page, text);
    await expect(page.getByRole('option').first()).toBeVisible();
    await page.keyboard.press('Enter');
  };
  await act('delete this session');
  await expect(page.getByRole('dialog', { name: 'Delete this session?' })).toBeVisible();
  await expect(page.locator('.bar .menu')).not.toHaveAttribute('open');
  await page.keyboard.press('Escape');
  await act('theme dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await act('settings');
  await expect(page).toHaveURL(`${server.origin}/settings`);
  await act('keyboard shortcuts');
  await expect(page.getByRole('dialog')).toContainText('Sort minimised cards');
  await page.keyboard.press('Escape');
  await act('add files');
  await expect(page).toHaveURL(`${server.origin}/`);
  await page.open('/settings');
  await act('review the parser');
  await page.waitForURL((url) => url.pathname === session.path);
  await page.goto(`${server.origin}/s/none`);
  await page.locator('html[data-hydrated]').waitFor();
  await act('all sessions');
  await expect(page).toHaveURL(`${server.origin}/`);
  errors.splice(0, errors.length, ...errors.filter((error) => !error.includes('404')));
});

test('every action of a card, and of all, is in it', async ({ page, server }) => {
  await working(page, server, 'One', 'Two');
  await expect(cards(page)).toHaveCount(2);
  const act = async (text) => {
    await search(page, text);
    await page.keyboard.press('Enter');
  };
  await card(page, 'One').getByRole('button', { name: 'One', exact: true }).focus();
  await act('maximise one');
  await expect.poll(async () => (await card(page, 'One').boundingBox()).width).toBeGreaterThan(1100);
  await act('restore size one');
  await act('move to bottom left one');
  await expect.poll(async () => (await card(page, 'One').boundingBox()).x).toBe(8);
  await act('put beside one');
  await expect(rail(page)).toContainText('Please: One');
  await act('minimise all');
  await expect(cards(page)).toHaveCount(0);
  await act('restore all');
  await expect(cards(page)).toHaveCount(2);
  await act('tile');
  const [one, two] = [await card(page, 'One').boundingBox(), await card(page, 'Two').boundingBox()];
  expect(Math.abs(one.y - two.y)).toBeLessThan(2);
});

test('it says what the keyboard does, and that nothing was found', async ({ page, server }) => {
  await idle(page, server);
  await search(page, '?');
  await expect(page.getByRole('dialog')).toContainText('Shift Esc');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await search(page, 'zzzzzz');
  await expect(page.getByRole('dialog')).toContainText('Nothing here is called that');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Menu' }).or(page.locator('summary[aria-label="Menu"]')).first().click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog')).toContainText('Sort minimised cards');
});

test('two agents of one title are told apart, and what opens the palette is not in it', async ({ page, server }) => {
  const { children } = await working(page, server, 'Read the log', 'Read the log');
  await expect(cards(page)).toHaveCount(2);
  children[0].say('Here.');
  await search(page, 'read the log');
  const twins = page.getByRole('option').filter({ hasText: /agent \d/ });
  await expect(twins).toHaveCount(2);
  expect(new Set(await twins.allTextContents()).size).toBe(2);
  await search(page, 'search');
  await expect(page.getByRole('option', { name: /^Search\s*Menu$/ })).toHaveCount(0);
});
