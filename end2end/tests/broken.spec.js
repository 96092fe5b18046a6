// Storage that is broken, refused or full, and windows of odd sizes: the layer opens sanely and says once what it left out.
import { alive } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';
import { card, cards, chip, drag, handle, press, resting } from '../lib/view.js';
import { working } from '../lib/working.js';

for (const [name, layout] of [
  ['no JSON', '{{{'],
  ['another version', '{"version":9,"cards":[],"order":[],"dock":[]}'],
  ['a broken card', '{"version":1,"cards":[{"id":"agent-1","wish":{"w":null,"h":1e999}},{"id":"agent--7"}],"order":["agent-1"],"rail":7}'],
]) {
  test(`a stored layout with ${name} costs only itself`, async ({ page, server }) => {
    const { session, children } = await working(page, server, 'Read');
    await resting(card(page, 'Read'));
    const said = [];
    page.on('console', (message) => message.type() === 'warning' && said.push(message.text()));
    await page.addInitScript(
      ([id, layout]) => {
        sessionStorage.setItem(`cards:v1:${id}`, layout);
        localStorage.setItem(`seen:v1:${id}`, 'nonsense');
        localStorage.setItem('cards:v1', '[1,2');
      },
      [session.id, layout],
    );
    await page.reload();
    await alive(page);
    children[0].say('Still there.');
    await expect(card(page, 'Read').getByText('Still there.')).toBeVisible();
    expect(said.filter((text) => text.includes('layout of the cards')).length).toBe(1);
  });
}

test('cards of agents that are gone, and five hundred of them, are left out or laid out', async ({ page, server }) => {
  const { session } = await working(page, server, 'Read');
  await resting(card(page, 'Read'));
  const wish = { w: 420, h: 300, dx: 0, dy: 0, from_right: true, from_bottom: false };
  const many = Array.from({ length: 500 }, (_, at) => ({ id: `agent-${at + 1}`, wish, opened_by: 'user' }));
  const layout = JSON.stringify({ version: 1, cards: many, order: many.map(({ id }) => id), dock: [] });
  await page.addInitScript(([id, layout]) => sessionStorage.setItem(`cards:v1:${id}`, layout), [session.id, layout]);
  await page.reload();
  await alive(page);
  await expect(cards(page)).toHaveCount(1);
});

test('without a storage everything works, and nothing is kept', async ({ page, server }) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    Storage.prototype.setItem = refuse;
    Storage.prototype.getItem = refuse;
  });
  const said = [];
  page.on('console', (message) => message.type() === 'warning' && said.push(message.text()));
  await working(page, server, 'Read');
  await drag(page, card(page, 'Read'), -120, 40);
  await press(card(page, 'Read'), 'Minimise');
  await chip(page, 'Read').click();
  await expect(card(page, 'Read')).toBeVisible();
  await expect.poll(() => said.filter((text) => text.includes('is not kept')).length).toBe(1);
});

test('a container of no size changes nothing', async ({ page, server }) => {
  const { children } = await working(page, server, 'Read');
  const before = await resting(card(page, 'Read'));
  const show = (display) => page.evaluate((display) => (document.querySelector('.page').style.display = display), display);
  await show('none');
  await page.setViewportSize({ width: 1200, height: 800 });
  children[0].say('Meanwhile.');
  await page.setViewportSize({ width: 1440, height: 900 });
  await show('');
  await expect(card(page, 'Read').getByText('Meanwhile.')).toBeVisible();
  expect(await resting(card(page, 'Read'))).toEqual(before);
});

test('a window of 320 px in the middle of a drag reverts it, and gives everything back', async ({ page, server }) => {
  await working(page, server, 'Read');
  const before = await resting(card(page, 'Read'));
  const { x, y } = await handle(card(page, 'Read'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 200, y + 90, { steps: 8 });
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(cards(page)).toHaveCount(0);
  await page.mouse.up();
  await expect(page.getByRole('navigation', { name: 'Agents' })).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await resting(card(page, 'Read'))).toEqual(before);
});
