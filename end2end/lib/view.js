// What a person sees on a page, found by role and name.
import { expect } from '@playwright/test';

/** The conversation of the page: the main transcript, or an agent's on its own page. */
export const conversation = (page) => page.getByRole('main').getByRole('log').first();

/** The card layer, and the card of an agent by its title. */
export const layer = (page) => page.getByRole('region', { name: 'Agent cards' });
export const cards = (page) => layer(page).locator('article[id^="card-"]');
export const card = (page, title) => cards(page).filter({ has: page.getByRole('heading', { name: title }) });
export const dock = (page) => page.getByRole('toolbar', { name: 'Cards' });
export const chip = (page, title) => dock(page).getByRole('button', { name: title });

/** The column beside the conversation. */
export const rail = (page) => page.getByRole('complementary', { name: 'Beside the conversation' });

/** Chooses an item of a card's menu. */
export async function choose(page, card, item) {
  await press(card, 'Card menu');
  await page.getByRole('menu').getByRole('menuitem', { name: item, exact: true }).click();
}

/** Chooses an item of the menu of all cards. */
export async function chooseForAll(page, item) {
  await dock(page).getByRole('button', { name: 'All cards' }).click();
  await page.getByRole('menu').getByRole('menuitem', { name: item, exact: true }).click();
}

/** Opens the palette and types. */
export async function search(page, text) {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /^Type a command/ });
  await expect(field).toBeFocused();
  await field.fill(text);
  return page.getByRole('option');
}

/** Presses one of the buttons in a card's header. */
export const press = (card, name) => card.getByRole('button', { name, exact: true }).click();

/** Drags a card by its header; `hold` runs before the button is released. */
export async function drag(page, card, dx, dy, hold = async () => {}) {
  const { x, y } = await handle(card);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx, y + dy, { steps: 10 });
  await hold();
  await page.mouse.up();
}

/** A point of a card's header that belongs to no button. */
export async function handle(card) {
  const box = await card.boundingBox();
  return { x: box.x + 26, y: box.y + 20 };
}

/** Waits until a card rests, and returns its rectangle. */
export async function resting(card) {
  await expect(card).toBeVisible();
  let last;
  await expect(async () => {
    const box = await card.boundingBox();
    const same = JSON.stringify(box) === JSON.stringify(last);
    last = box;
    expect(same).toBe(true);
  }).toPass({ intervals: [60] });
  return last;
}

/**
 * The entries of a transcript as a person reads them: kind and text in order, without what only a clock decides, and with every disclosure open.
 */
export async function entries(log) {
  return log.evaluate((root) => {
    const copy = root.cloneNode(true);
    for (const time of copy.querySelectorAll('time, [data-clock], button, [hidden]')) time.remove();
    // A server writes a blank where a text is empty, so texts are taken piece by piece.
    const text = (row) => {
      const pieces = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      const words = [];
      while (pieces.nextNode()) words.push(...pieces.currentNode.data.split(/\s+/).filter(Boolean));
      return words.join(' ');
    };
    return [...copy.querySelectorAll('[data-seq]')].map((row) => `${row.dataset.seq} ${text(row)}`);
  });
}
