// Every outcome of a drag, by clicks alone, by keys alone, and by touch.
import { expect, test } from '../lib/fixture.js';
import { card, cards, chip, choose, chooseForAll, conversation, dock, handle, press, rail, resting } from '../lib/view.js';
import { working } from '../lib/working.js';

test('clicks alone move, size, sort and place', async ({ page, server }) => {
  await working(page, server, 'One', 'Two');
  const one = card(page, 'One');
  await expect(cards(page)).toHaveCount(2);
  const seen = new Set();
  for (const spot of ['top left', 'top', 'top right', 'left', 'centre', 'right', 'bottom left', 'bottom', 'bottom right']) {
    await choose(page, one, `Move to ${spot}`);
    const { x, y } = await resting(one);
    seen.add(`${x} ${y}`);
  }
  expect(seen.size).toBe(9);
  const widths = [];
  for (const size of ['Size small', 'Size medium', 'Size large', 'Maximise']) {
    await choose(page, one, size);
    widths.push((await resting(one)).width);
  }
  const { width } = await page.locator('main.desk').boundingBox();
  expect(widths, 'the largest takes the conversation’s place').toEqual([320, 420, 640, width]);
  await choose(page, one, 'Restore size');
  expect((await resting(one)).width).toBe(640);
  await choose(page, one, 'Send to back');
  for (const title of ['Two', 'One']) await press(card(page, title), 'Minimise');
  await expect(dock(page).getByRole('button').first()).toContainText('Two');
  await chip(page, 'One').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Move left' }).click();
  await expect(dock(page).getByRole('button').first()).toContainText('One');
  await chooseForAll(page, 'Restore all');
  await expect(cards(page)).toHaveCount(2);
});

test('keys alone move, size, sort and place, and Escape reverts', async ({ page, server }) => {
  await working(page, server, 'One', 'Two');
  await expect(cards(page)).toHaveCount(2);
  const one = card(page, 'One');
  const before = await resting(one);
  await conversation(page).focus();
  const title = one.getByRole('button', { name: 'One', exact: true });
  await expect(async () => {
    await page.keyboard.press('F6');
    await expect(title).toBeFocused({ timeout: 200 });
  }).toPass();
  const item = async (name) => {
    await page.keyboard.press('Enter');
    const wanted = page.getByRole('menuitem', { name, exact: true });
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    for (let count = 0; count < 40 && !(await wanted.evaluate((it) => it === document.activeElement)); count += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  };
  await item('Move with arrow keys');
  await expect(one).toContainText('Arrow keys move it');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowDown');
  expect(await resting(one)).toEqual({ ...before, x: before.x - 16, y: before.y + 64 });
  await page.keyboard.press('Escape');
  expect(await resting(one)).toEqual(before);
  await item('Resize with arrow keys');
  await expect(one).toContainText('Arrow keys');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect((await resting(one)).height).toBe(before.height + 16);
  await item('Put beside the conversation');
  await expect(rail(page).getByRole('button', { name: 'One', exact: true })).toBeFocused();
  await item('Float');
  await expect(title).toBeFocused();
  await item('Minimise');
  await expect(chip(page, 'One')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(title).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: /card of One/i }).first()).toBeFocused();
  await page.keyboard.press('Shift+Escape');
  await expect(card(page, 'Two')).toHaveCSS('opacity', '0');
  await page.keyboard.press('Shift+Escape');
  await expect(card(page, 'Two')).toHaveCSS('opacity', '1');
});

test('focus or hover on a step marks its card, on a card its step and chip', async ({ page, server }) => {
  await working(page, server, 'One', 'Two');
  await expect(cards(page)).toHaveCount(2);
  const step = conversation(page).locator('.start').filter({ hasText: 'One' });
  await step.hover();
  await expect(card(page, 'One')).toHaveClass(/touched/);
  await expect(chip(page, 'One')).toHaveClass(/touched/);
  await page.mouse.move(5, 5);
  await expect(card(page, 'One')).not.toHaveClass(/touched/);
  await step.getByRole('link', { name: /card of One/i }).focus();
  await expect(card(page, 'One')).toHaveClass(/touched/);
  await card(page, 'Two').getByRole('button', { name: 'Two', exact: true }).focus();
  await expect(conversation(page).locator('.start').filter({ hasText: 'Two' })).toHaveClass(/touched/);
  await choose(page, card(page, 'Two'), 'Show its step');
  await expect(page.getByRole('link', { name: /card of Two/i }).first()).toBeFocused();
});

test('a child’s children open from its card, and the dock shows the family', async ({ page, server }) => {
  const { children } = await working(page, server, 'Parent');
  const [grandchild] = children[0].start({ title: 'Grandchild', prompt: 'Deeper' });
  grandchild.say('I am deep.');
  await expect(card(page, 'Grandchild')).toBeVisible();
  await press(card(page, 'Grandchild'), 'Close');
  await card(page, 'Parent').getByRole('link', { name: /card of Grandchild/i }).click();
  await expect(card(page, 'Grandchild').getByText('I am deep.')).toBeVisible();
  await expect(chip(page, /Grandchild/)).toContainText('started by Parent');
  await chip(page, /^Parent/).hover();
  await expect(chip(page, /Grandchild/)).toHaveClass(/kin/);
});

test('agents never take the focus and are told once in three seconds at most', async ({ page, server }) => {
  const { session } = await working(page, server);
  await page.evaluate(() => {
    window.said = [];
    const nodes = document.querySelectorAll('main > [role=status]');
    for (const node of nodes) new MutationObserver(() => window.said.push(performance.now())).observe(node, { childList: true, characterData: true, subtree: true });
  });
  await conversation(page).focus();
  const running = [];
  for (let wave = 0; wave < 8; wave += 1) {
    running.push(...session.main.start({ title: `Wave ${wave}`, prompt: 'Go' }));
    if (wave > 1) running.shift().finish('Done.');
    for (let word = 0; word < 40; word += 1) running[0].say(`Word ${word}`);
    await expect(conversation(page).getByText(`Wave ${wave}`).first()).toBeVisible();
  }
  await expect(conversation(page)).toBeFocused();
  await expect.poll(() => page.evaluate(() => window.said.length)).toBeGreaterThan(1);
  const said = await page.evaluate(() => window.said);
  const turns = said.filter((at, i) => i === 0 || at - said[i - 1] > 50);
  for (let i = 1; i < turns.length; i += 1) expect(turns[i] - turns[i - 1]).toBeGreaterThan(2700);
});

test('a failure is told at once, in the alert', async ({ page, server }) => {
  const { children } = await working(page, server, 'Risky');
  await expect(card(page, 'Risky')).toBeVisible();
  children[0].finish('It broke.', { error: true });
  await expect(page.getByRole('alert').filter({ hasText: /Risky failed/ })).toHaveCount(1);
});

test.describe('by touch', () => {
  test.use({ hasTouch: true });

  test('a finger on the header drags, in the transcript it scrolls, and 8 px are a tap', async ({ page, server }) => {
    const { children } = await working(page, server, 'One');
    for (let turn = 0; turn < 30; turn += 1) children[0].say(`Turn ${turn}.\n\nMore of it.`);
    const one = card(page, 'One');
    await expect(one.getByText('Turn 29.')).toBeVisible();
    const cdp = await page.context().newCDPSession(page);
    const finger = async (type, x, y) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    const swipe = async ({ x, y }, dx, dy) => {
      await finger('touchStart', x, y);
      for (let step = 1; step <= 10; step += 1) await finger('touchMove', x + (dx * step) / 10, y + (dy * step) / 10);
      await finger('touchEnd');
    };
    const before = await resting(one);
    await swipe(await handle(one), -8, 0);
    expect(await resting(one)).toEqual(before);
    await swipe(await handle(one), -160, 60);
    const after = await resting(one);
    expect(after.x).toBeLessThan(before.x - 100);
    const log = one.getByRole('log');
    const top = () => log.evaluate((it) => it.scrollTop);
    const from = await top();
    await swipe({ x: after.x + 150, y: after.y + after.height / 2 }, 0, 120);
    await expect.poll(top).toBeLessThan(from);
    expect(await resting(one)).toEqual(after);
  });
});
