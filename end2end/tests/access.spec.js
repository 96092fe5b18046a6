// axe-core finds nothing in any state of the card layer, in light, dark, forced colours and reduced motion.
import { violations } from '../lib/axe.js';
import { expect, test } from '../lib/fixture.js';
import { card, cards, chip, choose, chooseForAll, dock, press, rail, resting, search } from '../lib/view.js';
import { idle, working } from '../lib/working.js';

async function clean(page, state) {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
  const { rules, broken } = await violations(page);
  expect(rules, 'target-size is looked at').toContain('target-size');
  expect(broken, state).toEqual([]);
}

const looks = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, forced: { forcedColors: 'active' }, still: { reducedMotion: 'reduce' } };

for (const [look, media] of Object.entries(looks)) {
  test(`nothing is found, ${look}`, async ({ page, server }) => {
    test.slow();
    await page.emulateMedia(media);
    const session = await idle(page, server);
    await clean(page, 'empty');
    const start = (...titles) => session.main.start(...titles.map((title) => ({ title, prompt: `Please: ${title}` })));
    const children = start('One', 'Two', 'Three');
    for (const child of children) child.say('Some **words** and `code`.').step('Read', { file_path: '/home/dev/demo/src/a.rs' }, 'fn a() {}');
    await expect(cards(page)).toHaveCount(3);
    start('Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve');
    session.stray('Stray');
    await expect(dock(page).getByRole('button', { name: /without a parent/ })).toBeVisible();
    await expect(card(page, 'One')).toContainText('Some words and code');
    await clean(page, 'three cards and a full dock');
    await chooseForAll(page, 'Cascade');
    await clean(page, 'overlapping');
    await choose(page, card(page, 'Three'), 'Maximise');
    await clean(page, 'maximised');
    await choose(page, card(page, 'Three'), 'Restore size');
    await choose(page, card(page, 'Three'), 'Move with arrow keys');
    await expect(card(page, 'Three')).toContainText('Arrow keys move it');
    await clean(page, 'moved by keys');
    await page.keyboard.press('Escape');
    await press(card(page, 'Three'), 'Card menu');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await clean(page, 'a menu');
    await page.keyboard.press('Escape');
    await dock(page).getByRole('button', { name: /more/ }).click();
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await clean(page, 'the dock’s overflow');
    await page.keyboard.press('Escape');
    await choose(page, card(page, 'Three'), 'Put beside the conversation');
    await choose(page, card(page, 'Two'), 'Put beside the conversation');
    await expect(rail(page).getByRole('button', { name: 'Two', exact: true })).toBeFocused();
    await clean(page, 'rail with tabs');
    await dock(page).getByRole('button', { name: /without a parent/ }).click();
    await expect(page.getByRole('combobox', { name: 'Started by' })).toBeVisible();
    await clean(page, 'tray');
    await search(page, 'mini');
    await clean(page, 'palette');
    await page.keyboard.press('Escape');
    await search(page, '?');
    await clean(page, 'shortcuts');
    await page.open('/settings');
    await clean(page, 'settings');
  });
}

for (const look of ['light', 'dark']) {
  test(`a marked card beside the conversation is readable in every hue, ${look}`, async ({ page, server }) => {
    await page.emulateMedia(looks[look]);
    const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    await working(page, server, ...titles);
    for (const title of titles) {
      await chip(page, title).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Put beside the conversation' }).click();
      await expect(rail(page).getByRole('button', { name: title, exact: true })).toBeFocused();
      await expect(rail(page).locator('.card')).toHaveClass(/touched/);
      await clean(page, title);
    }
  });
}

test('no card that agents opened hides a control from the keyboard', async ({ page, server }) => {
  await working(page, server, 'One', 'Two', 'Three');
  await expect(cards(page)).toHaveCount(3);
  await resting(card(page, 'Three'));
  await page.evaluate(() => document.body.focus());
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    const seen = await page.evaluate(() => {
      const it = document.activeElement;
      if (!it || it === document.body) return 'end';
      const box = it.getBoundingClientRect();
      const at = (share, from, length) => from + length * share;
      const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [at(x, box.x, box.width), at(y, box.y, box.height)]));
      const hit = points.some(([x, y]) => {
        const found = document.elementFromPoint(x, y);
        return found && (it.contains(found) || found.contains(it));
      });
      return hit || box.width < 3 ? '' : `${it.tagName}.${it.className} ${it.textContent.slice(0, 40)}`;
    });
    if (seen === 'end') break;
    expect(seen).toBe('');
  }
});
