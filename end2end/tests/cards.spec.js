// Cards: opened for running subagents, dragged, minimised, restored, and kept over updates and reloads.
import { Session } from '../lib/agent.js';
import { alive } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';
import { card, cards, chip, choose, chooseForAll, conversation, dock, drag, handle, press, rail, resting } from '../lib/view.js';
import { working } from '../lib/working.js';

test('a card opens for a new subagent while it runs, and streams', async ({ page, server }) => {
  const { children } = await working(page, server, 'Read the tokens');
  const it = card(page, 'Read the tokens');
  await expect(it).toBeVisible();
  children[0].say('First words.');
  await expect(it.getByText('First words.')).toBeVisible();
  children[0].step('Read', { file_path: '/home/dev/demo/src/token.rs' }, 'fn token() {}');
  await expect(it.getByText('token.rs').first()).toBeVisible();
  children[0].finish('All tokens are read.');
  await expect(it.getByText('All tokens are read.')).toBeVisible();
  await expect(it).toContainText(/finished/i);
});

test('a new card does not take the focus', async ({ page, server }) => {
  const session = new Session(server.projects);
  session.main.user('Review the parser');
  await expect(async () => server.api(`/api/v1/sessions/${session.id}`)).toPass();
  await page.open(session.path);
  const focused = conversation(page);
  await focused.focus();
  session.main.start({ title: 'Read the tokens', prompt: 'Read' });
  await expect(card(page, 'Read the tokens')).toBeVisible();
  await expect(focused).toBeFocused();
});

test('at most three cards open by themselves, and none in a finished session', async ({ page, server }) => {
  const titles = ['One', 'Two', 'Three', 'Four', 'Five'];
  const { session, children } = await working(page, server, ...titles);
  await expect(conversation(page).getByText('Five').first()).toBeVisible();
  await expect(cards(page)).toHaveCount(3);
  for (const child of children) child.finish(`${child.title} is done.`);
  session.main.say('All is done.');
  await expect(page.getByText('All is done.')).toBeVisible();

  const other = await page.context().browser().newContext({ storageState: await page.context().storageState().then(({ cookies }) => ({ cookies, origins: [] })) });
  const fresh = await other.newPage();
  await fresh.goto(server.origin + session.path);
  await alive(fresh);
  await expect(fresh.getByText('All is done.')).toBeVisible();
  await expect(cards(fresh)).toHaveCount(0);
  await other.close();
});

test('under the threshold it clicks, over it it drags', async ({ page, server }) => {
  await working(page, server, 'Read the tokens');
  const it = card(page, 'Read the tokens');
  const before = await resting(it);
  await drag(page, it, -3, 0);
  expect(await resting(it)).toEqual(before);
  await drag(page, it, -200, 90);
  const after = await resting(it);
  expect(after.x).toBeCloseTo(before.x - 200, -1);
  expect(after.y).not.toBe(before.y);
  expect([after.width, after.height]).toEqual([before.width, before.height]);
});

test('a drag goes on outside of the window, and its card stays reachable', async ({ page, server }) => {
  await working(page, server, 'Read the tokens');
  const it = card(page, 'Read the tokens');
  await resting(it);
  await drag(page, it, -3000, -3000);
  const box = await resting(it);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeGreaterThanOrEqual(120);
  const top = await handle(it);
  expect(top.y).toBeGreaterThan(0);
});

test('Escape during a drag puts the card back', async ({ page, server }) => {
  await working(page, server, 'Read the tokens');
  const it = card(page, 'Read the tokens');
  const before = await resting(it);
  await drag(page, it, -220, 60, async () => {
    await expect.poll(async () => (await it.boundingBox()).x).not.toBe(before.x);
    await page.keyboard.press('Escape');
  });
  expect(await resting(it)).toEqual(before);
});

test('minimised cards stand in the dock in that order, and come back where they were', async ({ page, server }) => {
  await working(page, server, 'One', 'Two', 'Three');
  await expect(cards(page)).toHaveCount(3);
  await drag(page, card(page, 'Two'), -150, 40);
  const before = await resting(card(page, 'Two'));
  for (const title of ['Three', 'Two']) await press(card(page, title), 'Minimise');
  await expect(card(page, 'Two')).toBeHidden();
  const order = await dock(page).getByRole('button').evaluateAll((all) => all.map((it) => it.getAttribute('aria-label') ?? it.textContent));
  expect(order.findIndex((name) => name.includes('Three'))).toBeLessThan(order.findIndex((name) => name.includes('Two')));
  await chip(page, 'Two').click();
  expect(await resting(card(page, 'Two'))).toEqual(before);
  await press(card(page, 'Two'), 'Minimise');
  const names = () => dock(page).locator('.chip .n').allTextContents();
  await expect.poll(names).toEqual(['Three', 'Two', 'One']);
  await page.reload();
  await alive(page);
  await expect.poll(names).toEqual(['Three', 'Two', 'One']);
});

test('a minimised card counts what it has not shown', async ({ page, server }) => {
  const { children } = await working(page, server, 'Read the tokens');
  await resting(card(page, 'Read the tokens'));
  await press(card(page, 'Read the tokens'), 'Minimise');
  children[0].say('One.').say('Two.').say('Three.');
  await expect(chip(page, /Read the tokens.*3 new/)).toBeVisible();
  await chip(page, 'Read the tokens').click();
  await expect(card(page, 'Read the tokens').getByText('Three.')).toBeVisible();
});

test('a card keeps its place over updates and a reload', async ({ page, server }) => {
  const { children } = await working(page, server, 'Read the tokens', 'Read the tree');
  await resting(card(page, 'Read the tree'));
  await drag(page, card(page, 'Read the tokens'), -180, 70);
  const before = await resting(card(page, 'Read the tokens'));
  for (let count = 0; count < 20; count += 1) children[0].say(`Update ${count}.`);
  await expect(card(page, 'Read the tokens').getByText('Update 19.')).toBeVisible();
  expect(await resting(card(page, 'Read the tokens'))).toEqual(before);
  await page.reload();
  await alive(page);
  expect(await resting(card(page, 'Read the tokens'))).toEqual(before);
  await expect(card(page, 'Read the tokens').getByText('Update 19.')).toBeVisible();
});

test('a closed card stays closed, and its step opens it again', async ({ page, server }) => {
  const { children } = await working(page, server, 'Read the tokens');
  await press(card(page, 'Read the tokens'), 'Close');
  await expect(cards(page)).toHaveCount(0);
  children[0].say('Still working.');
  await page.reload();
  await alive(page);
  await expect(page.getByRole('link', { name: /card of Read the tokens/i }).first()).toBeVisible();
  await expect(cards(page)).toHaveCount(0);
  await page.getByRole('link', { name: /card of Read the tokens/i }).first().click();
  await expect(card(page, 'Read the tokens').getByText('Still working.')).toBeVisible();
});

test('a press raises a card over the others', async ({ page, server }) => {
  await working(page, server, 'One', 'Two');
  const one = await resting(card(page, 'One'));
  const two = await resting(card(page, 'Two'));
  await drag(page, card(page, 'Two'), one.x - two.x - 60, one.y - two.y + 60);
  const moved = await resting(card(page, 'Two'));
  const point = { x: Math.max(one.x, moved.x) + 80, y: Math.max(one.y, moved.y) + 120 };
  const onTop = () => page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('article')?.textContent.includes('Please: One'), point);
  expect(await onTop()).toBe(false);
  await page.mouse.click(one.x + one.width - 24, one.y + one.height / 2);
  await expect.poll(onTop).toBe(true);
});

test('a smaller window clamps the cards, a larger one gives them back their place', async ({ page, server }) => {
  await working(page, server, 'Read the tokens');
  const before = await resting(card(page, 'Read the tokens'));
  await page.setViewportSize({ width: 1000, height: 700 });
  const small = await resting(card(page, 'Read the tokens'));
  expect(small.x).toBeLessThanOrEqual(1000 - 120);
  expect(small.y + 40).toBeLessThanOrEqual(700);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(async () => card(page, 'Read the tokens').boundingBox()).toEqual(before);
});

test('a window of a phone’s width and back gives every card its place back', async ({ page, server }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const titles = ['One', 'Two', 'Three'];
  await working(page, server, ...titles);
  await expect(cards(page)).toHaveCount(3);
  for (const [at, title] of titles.entries()) await drag(page, card(page, title), -90 * at - 40, 30 * at);
  const places = async () => Promise.all(titles.map(async (title) => resting(card(page, title))));
  const before = await places();
  await page.setViewportSize({ width: 800, height: 1080 });
  await expect(cards(page)).toHaveCount(0);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await expect(cards(page)).toHaveCount(3);
  expect(await places()).toEqual(before);
});

test('a thousand presses keep the cards in their band, the last pressed in front', async ({ page, server }) => {
  await working(page, server, 'One', 'Two', 'Three');
  await expect(cards(page)).toHaveCount(3);
  await chooseForAll(page, 'Cascade');
  const front = await cards(page).evaluateAll(async (all) => {
    let last;
    for (let count = 0; count < 1000; count += 1) {
      last = all[(count * 7 + (count >> 3)) % all.length];
      last.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, isPrimary: true, button: 2 }));
    }
    await new Promise(requestAnimationFrame);
    return last.id;
  });
  const z = () => cards(page).evaluateAll((all) => all.map((card) => [Number(getComputedStyle(card).zIndex), card.id]).sort((a, b) => a[0] - b[0]));
  await expect.poll(async () => (await z()).map(([at]) => at)).toEqual([100, 101, 102]);
  expect((await z())[2][1]).toBe(front);
  const box = await page.locator(`#${front}`).boundingBox();
  expect(await page.evaluate(({ x, y }) => document.elementFromPoint(x, y).closest('article').id, { x: box.x + 60, y: box.y + box.height - 60 })).toBe(front);
});

test('a card that an agent opens covers nothing that has the focus', async ({ page, server }) => {
  const { session } = await working(page, server, 'One');
  await press(card(page, 'One'), 'Maximise');
  const title = card(page, 'One').getByRole('button', { name: 'One', exact: true });
  await title.focus();
  session.main.start({ title: 'Two', prompt: 'Go' }, { title: 'Three', prompt: 'Go' });
  for (const name of ['Two', 'Three']) await expect(chip(page, name)).toBeVisible();
  await expect(title).toBeFocused();
  const seen = await title.evaluate((it) => {
    const { x, y, width, height } = it.getBoundingClientRect();
    return it.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
  expect(seen).toBe(true);
});

test('a card that failed says why, on its foot and on its chip', async ({ page, server }) => {
  const { children } = await working(page, server, 'Run the soak test');
  const it = card(page, 'Run the soak test');
  await resting(it);
  children[0].finish('Exit 101 after 62 s.', { error: true });
  await expect(it.locator('.card-foot')).toContainText('failed: Error: Exit 101 after 62 s.');
  await press(it, 'Minimise');
  await expect(chip(page, /Run the soak test.*failed: Error: Exit 101 after 62 s\./)).toBeVisible();
});

test('tiles, a cascade and a pile leave the lists and the rail free', async ({ page, server }) => {
  await working(page, server, 'One', 'Two', 'Three');
  await expect(cards(page)).toHaveCount(3);
  await choose(page, card(page, 'Three'), 'Put beside the conversation');
  const side = await page.getByRole('navigation', { name: 'Sessions' }).boundingBox();
  const column = await rail(page).boundingBox();
  for (const way of ['Tile', 'Cascade', 'Pile']) {
    await chooseForAll(page, way);
    for (const title of ['One', 'Two']) {
      const box = await resting(card(page, title));
      expect(box.x, way).toBeGreaterThanOrEqual(side.x + side.width);
      expect(box.x + box.width, way).toBeLessThanOrEqual(column.x);
    }
  }
});

test('fifty cards come back in slices, the foremost first', async ({ page, server }) => {
  const { session } = await working(page, server);
  session.main.start(...Array.from({ length: 50 }, (_, at) => ({ title: `Agent ${at + 1}`, prompt: 'Go' })));
  await expect(dock(page).getByRole('button', { name: /more/ })).toBeVisible();
  await expect.poll(async () => (await server.api(`/api/v1/sessions/${session.id}`)).agents.filter((agent) => !agent.merged_into).length).toBe(51);
  await chooseForAll(page, 'Restore all');
  await expect(cards(page)).toHaveCount(50, { timeout: 60_000 });
  const front = await page.locator('.card.top').getAttribute('id');
  await page.addInitScript(() => {
    window.slices = [];
    const cards = (nodes) => [...nodes].filter((node) => node.matches?.('article.card')).map((node) => node.id);
    new MutationObserver((changes) => {
      const slice = changes.flatMap((change) => cards(change.addedNodes));
      if (slice.length > 0) window.slices.push(slice);
    }).observe(document, { subtree: true, childList: true });
  });
  await page.reload();
  await alive(page);
  await expect(cards(page)).toHaveCount(50, { timeout: 60_000 });
  const slices = await page.evaluate(() => window.slices);
  expect(slices[0]).toEqual([front]);
  expect(Math.max(...slices.map((slice) => slice.length))).toBeLessThanOrEqual(3);
});
