// Many cards at once: each costs only what it shows, and none is touched by what goes on in another.
import { expect, test } from '../lib/fixture.js';
import { card, cards, chooseForAll, handle, resting } from '../lib/view.js';
import { working } from '../lib/working.js';

test('a card without new entries is not touched while others stream and one is dragged', async ({ page, server }) => {
  const titles = ['One', 'Two', 'Three', 'Idle'];
  const { children } = await working(page, server, ...titles);
  await expect.poll(() => page.locator('.chip[id]').count()).toBe(4);
  await chooseForAll(page, 'Restore all');
  await expect(cards(page)).toHaveCount(4);
  await chooseForAll(page, 'Tile');
  await expect(card(page, 'Idle').getByText('Please: Idle')).toBeVisible();
  await resting(card(page, 'Idle'));
  // Once the others are drawn, so is this one.
  for (const child of children.slice(0, 3)) child.say('Begun.');
  for (const title of titles.slice(0, 3)) await expect(card(page, title).getByText('Begun.')).toBeVisible();
  await card(page, 'Idle').getByRole('log').evaluate((log) => {
    window.touched = [];
    new MutationObserver((changes) => window.touched.push(...changes.map(({ type, target }) => `${type} ${target.nodeName}`))).observe(log, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  const { x, y } = await handle(card(page, 'One'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let word = 0; word < 60; word += 1) {
    for (const child of children.slice(0, 3)) child.say(`Word ${word}.`);
    await page.mouse.move(x + 4 * word, y + 2 * word);
  }
  await page.mouse.up();
  for (const title of titles.slice(0, 3)) await expect(card(page, title).getByText('Word 59.')).toBeVisible();
  expect(await page.evaluate(() => window.touched)).toEqual([]);
});

test('cards that stream together take turns, and each comes to all of its entries in order', async ({ page, server }) => {
  const titles = Array.from({ length: 7 }, (_, at) => `Agent ${at + 1}`);
  const { children } = await working(page, server, ...titles);
  await expect.poll(() => page.locator('.chip[id]').count()).toBe(7);
  await chooseForAll(page, 'Restore all');
  await chooseForAll(page, 'Tile');
  await expect(cards(page)).toHaveCount(7);
  await expect(cards(page).getByRole('log')).toHaveCount(7);
  await page.evaluate(() => {
    window.frames = [];
    const frame = () => {
      window.frames.push(new Set());
      requestAnimationFrame(frame);
    };
    frame();
    const rows = (change) => [...change.addedNodes].some((node) => node.matches?.('[data-seq]'));
    for (const log of document.querySelectorAll('.card [role=log]')) {
      new MutationObserver((changes) => changes.some(rows) && window.frames.at(-1).add(log)).observe(log, { subtree: true, childList: true });
    }
  });
  for (let word = 0; word < 40; word += 1) {
    for (const child of children) child.say(`Word ${word}.`);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  for (const title of titles) await expect(card(page, title).getByText('Word 39.')).toBeVisible();
  // Two cards have a turn in a frame, and what a look counts as one may be two.
  expect(await page.evaluate(() => Math.max(...window.frames.map((logs) => logs.size)))).toBeLessThanOrEqual(4);
  const shown = () => Promise.all(titles.map((title) => card(page, title).locator('[data-seq]').allInnerTexts()));
  const live = await shown();
  expect(live[6].slice(1)).toEqual(Array.from({ length: 40 }, (_, word) => `Word ${word}.`));
  await page.reload();
  await expect(cards(page).getByRole('log')).toHaveCount(7);
  for (const title of titles) await expect(card(page, title).getByText('Word 39.')).toBeVisible();
  expect((await shown()).map((rows) => rows.slice(-20))).toEqual(live.map((rows) => rows.slice(-20)));
});

test('two hundred minimised cards have no transcript in the page', async ({ page, server }) => {
  const { session } = await working(page, server);
  session.main.start(...Array.from({ length: 203 }, (_, at) => ({ title: `Agent ${at + 1}`, prompt: 'Go' })));
  await expect.poll(async () => (await server.api(`/api/v1/sessions/${session.id}?limit=5000`)).agents.filter((agent) => !agent.merged_into).length).toBe(204);
  await expect(cards(page)).toHaveCount(3);
  await expect(page.locator('[role=log]')).toHaveCount(4);
  await expect.poll(() => page.locator('.dock .chip').count()).toBeLessThan(12);
});

test('a card that follows keeps the end alone, and gives the rest to whoever goes up', async ({ page, server }) => {
  const { children } = await working(page, server, 'Count');
  const it = card(page, 'Count');
  await resting(it);
  const rows = it.locator('[data-seq]');
  for (let turn = 0; turn < 420; turn += 1) children[0].say(`Turn ${turn}.`);
  await expect(it.getByText('Turn 419.')).toBeInViewport();
  await expect.poll(() => rows.count()).toBeLessThanOrEqual(192);
  await it.getByRole('log').hover();
  await expect(async () => {
    await page.mouse.wheel(0, -20_000);
    await expect(it.getByText('Turn 0.', { exact: true })).toBeInViewport({ timeout: 400 });
  }).toPass({ timeout: 30_000 });
  const seqs = await rows.evaluateAll((all) => all.map((row) => Number(row.dataset.seq)));
  expect(seqs).toEqual(Array.from({ length: 421 }, (_, at) => at + 1));
  await it.getByRole('button', { name: /Jump to latest/ }).click();
  await expect(it.getByText('Turn 419.')).toBeInViewport();
});
