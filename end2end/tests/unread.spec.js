// What counts as seen: the end of a transcript that was really visible; here, in another tab, and on another device.
import { alive } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';
import { card, cards, chip, choose, chooseForAll, press, rail, resting } from '../lib/view.js';
import { device, working } from '../lib/working.js';

const badge = (page, title) => chip(page, title).locator('.badge');

/** Waits until everything that a card shows counts as seen. */
const read = (page, title) => expect(badge(page, title)).toHaveCount(0);

test('what nobody saw is unread: minimised, scrolled up, buried, in a hidden tab', async ({ page, server }) => {
  const { children } = await working(page, server, 'Read', 'Other');
  const [child] = children;
  await resting(card(page, 'Other'));
  for (let turn = 0; turn < 30; turn += 1) child.say(`Turn ${turn}.\n\nMore of it.`);
  await expect(card(page, 'Read').getByText('Turn 29.')).toBeVisible();
  await read(page, 'Read');

  await press(card(page, 'Read'), 'Minimise');
  child.say('One.').say('Two.');
  await expect(badge(page, 'Read')).toHaveText('2 new');
  await chip(page, 'Read').click();
  await read(page, 'Read');

  await card(page, 'Read').getByRole('log').hover();
  await page.mouse.wheel(0, -400);
  child.say('Three.');
  await expect(badge(page, 'Read')).toHaveText('1 new');
  await card(page, 'Read').getByRole('button', { name: /Jump to latest/ }).click();
  await read(page, 'Read');

  await press(card(page, 'Other'), 'Maximise');
  child.say('Four.');
  await expect(badge(page, 'Read')).toHaveText('1 new');
  await press(card(page, 'Other'), 'Restore size');
  await read(page, 'Read');

  const hide = (hidden) => page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
  await hide(true);
  child.say('Five.');
  await expect(badge(page, 'Read')).toHaveText('1 new');
  await page.reload();
  await alive(page);
  await read(page, 'Read');
});

test('a card beside the conversation is seen, too', async ({ page, server }) => {
  const { children } = await working(page, server, 'Read');
  await choose(page, card(page, 'Read'), 'Put beside the conversation');
  children[0].say('Beside.');
  await expect(rail(page).getByText('Beside.')).toBeVisible();
  await read(page, 'Read');
});

test('two tabs and another device agree', async ({ page, server, context }) => {
  const { session, children } = await working(page, server, 'Read');
  await resting(card(page, 'Read'));
  await press(card(page, 'Read'), 'Minimise');
  const other = await device(page);
  await other.goto(server.origin + session.path);
  await alive(other);
  await expect(cards(other)).toHaveCount(1);
  await press(card(other, 'Read'), 'Minimise');
  children[0].say('One.').say('Two.').say('Three.');
  await expect(badge(page, 'Read')).toHaveText('3 new');
  await expect(badge(other, 'Read')).toHaveText('3 new');

  const tab = await context.newPage();
  await tab.goto(server.origin + session.path);
  await alive(tab);
  await expect(badge(tab, 'Read')).toHaveText('3 new');
  await chip(page, 'Read').click();
  await read(page, 'Read');
  await expect(badge(tab, 'Read')).toHaveCount(0);
  await expect(badge(other, 'Read')).toHaveCount(0);
  await other.done();
});

test('a saved layout and a link lead another device to the same cards', async ({ page, server, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { session, children } = await working(page, server, 'One', 'Two', 'Three');
  await expect(cards(page)).toHaveCount(3);
  await choose(page, card(page, 'One'), 'Put beside the conversation');
  await press(card(page, 'Two'), 'Minimise');
  await choose(page, card(page, 'Three'), 'Move to bottom left');
  const place = await resting(card(page, 'Three'));
  await chooseForAll(page, 'Save layout for all devices');
  await expect(page.locator('.told')).toHaveText('Layout saved for all devices.');
  await chooseForAll(page, 'Copy link with cards');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).searchParams.get('cards')).toMatch(/^agent-\d+,agent-\d+\.rail,agent-\d+\.dock$/);
  for (const child of children) child.finish('Done.');
  session.main.say('All is done.');
  await expect(page.getByText('All is done.')).toBeVisible();

  const other = await device(page);
  await other.goto(server.origin + session.path);
  await alive(other);
  await expect(rail(other)).toContainText('Please: One');
  await expect(chip(other, 'Two')).toHaveAttribute('aria-pressed', 'false');
  expect(await resting(card(other, 'Three'))).toEqual(place);
  await other.done();

  const third = await device(page);
  await third.goto(link.replace(/agent-\d+,/, ''));
  await alive(third);
  await expect(rail(third)).toContainText('Please: One');
  await expect(third).toHaveURL(server.origin + session.path);
  await third.done();
});
