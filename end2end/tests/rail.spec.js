// The column beside the conversation: cards that cover nothing.
import { alive } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';
import { card, chip, choose, conversation, press, rail, resting } from '../lib/view.js';
import { working } from '../lib/working.js';

test('float, rail and page lead to each other in one action', async ({ page, server }) => {
  const { children } = await working(page, server, 'Read the tokens');
  const floating = card(page, 'Read the tokens');
  const before = await resting(floating);
  await choose(page, floating, 'Put beside the conversation');
  await expect(rail(page).getByRole('heading', { name: 'Read the tokens' })).toBeVisible();
  await expect(floating).toHaveCount(0);
  children[0].say('Seen beside.');
  await expect(rail(page).getByText('Seen beside.')).toBeVisible();
  const [column, text] = [await rail(page).boundingBox(), await conversation(page).boundingBox()];
  expect(text.x + text.width).toBeLessThanOrEqual(column.x + 1);

  await press(rail(page), 'Float');
  expect(await resting(floating)).toEqual(before);

  await choose(page, floating, 'Open full page');
  await page.getByRole('link', { name: 'Beside the conversation' }).click();
  await expect(rail(page).getByText('Seen beside.')).toBeVisible();
  await press(rail(page), 'Card menu');
  await page.getByRole('menuitem', { name: 'Open full page' }).click();
  await page.getByRole('link', { name: 'As a card' }).click();
  await expect(floating.getByText('Seen beside.')).toBeVisible();
  await expect(rail(page)).toHaveCount(0);
});

test('several stand as tabs, by keys and clicks, over a reload', async ({ page, server }) => {
  await working(page, server, 'One', 'Two', 'Three');
  for (const title of ['One', 'Two', 'Three']) await choose(page, card(page, title), 'Put beside the conversation');
  const tab = (name) => rail(page).getByRole('tab', { name });
  await expect(tab('Three')).toHaveAttribute('aria-selected', 'true');
  await tab('One').click();
  await expect(rail(page).getByText('Please: One')).toBeVisible();
  await tab('One').press('ArrowRight');
  await expect(tab('Two')).toBeFocused();
  await expect(rail(page).getByText('Please: Two')).toBeVisible();
  await tab('Two').press('Alt+ArrowLeft');
  await expect(rail(page).getByRole('tab').first()).toContainText('Two');
  await chip(page, 'Three').click();
  await expect(tab('Three')).toHaveAttribute('aria-selected', 'true');
  await page.reload();
  await alive(page);
  await expect(rail(page).getByRole('tab').first()).toContainText('Two');
  await expect(tab('Three')).toHaveAttribute('aria-selected', 'true');
});

test('the splitter goes by mouse and keys, and back by Escape', async ({ page, server }) => {
  await working(page, server, 'One');
  await choose(page, card(page, 'One'), 'Put beside the conversation');
  const splitter = rail(page).getByRole('separator', { name: 'Width of the column' });
  const width = async () => Math.round((await rail(page).boundingBox()).width);
  const first = await width();
  await splitter.press('ArrowLeft');
  await expect.poll(width).toBe(first + 16);
  await splitter.press('Control+ArrowRight');
  await expect.poll(width).toBe(first + 15);
  await expect(splitter).toHaveAttribute('aria-valuenow', String(first + 15));
  await splitter.press('Home');
  await expect.poll(width).toBe(280);
  const box = await splitter.boundingBox();
  const drag = async (end) => {
    await page.mouse.move(box.x + 4, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x - 116, box.y + 220, { steps: 8 });
    await expect.poll(width).toBe(400);
    await end();
    await page.mouse.up();
  };
  await drag(() => page.keyboard.press('Escape'));
  await expect.poll(width).toBe(280);
  await drag(async () => {});
  await expect.poll(width).toBe(400);
  await page.setViewportSize({ width: 920, height: 700 });
  await expect.poll(width).toBeLessThanOrEqual(920 - 248 - 340);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(width).toBe(400);
});

test('what floats makes way for the column, and a maximised card takes the conversation’s place alone', async ({ page, server }) => {
  await working(page, server, 'One', 'Two');
  const floating = card(page, 'One');
  const before = await resting(floating);
  await choose(page, card(page, 'Two'), 'Put beside the conversation');
  const column = await rail(page).boundingBox();
  const beside = await resting(floating);
  expect(before.x + before.width).toBeGreaterThan(column.x);
  expect(beside.x + beside.width).toBeLessThanOrEqual(column.x);
  await press(floating, 'Maximise');
  const [whole, desk] = [await resting(floating), await page.locator('main.desk').boundingBox()];
  expect([whole.x, whole.y, whole.x + whole.width]).toEqual([desk.x, desk.y, column.x]);
  await press(floating, 'Restore size');
  await choose(page, rail(page), 'Minimise');
  expect(await resting(floating)).toEqual(before);
});
