// A session is deleted from its page: asked first, never while it runs, and it does not come back.
import { expect, test } from '../lib/fixture.js';
import { card } from '../lib/view.js';
import { working } from '../lib/working.js';

const ask = async (page) => {
  await page.getByRole('banner').getByLabel('Menu').click();
  await page.getByRole('button', { name: 'Delete this session…' }).click();
  return page.getByRole('dialog', { name: 'Delete this session?' });
};

// The page may still ask for what is gone by then.
test.use({ lonely: true });

test('what has ended is deleted, what runs is not', async ({ page, server }) => {
  const { session, children } = await working(page, server, 'Look');
  await expect(card(page, 'Look')).toBeVisible();
  const dialog = await ask(page);
  await expect(dialog).toContainText('It cannot be deleted yet: 1 of 1 agent running.');
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
  children[0].finish('Looked.');
  session.main.line('system', { subtype: 'turn_duration', durationMs: 5 });
  await expect(dialog).toContainText('stay as they are');
  await expect(dialog).toContainText('Review the parser');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('banner').getByLabel('Menu')).toBeFocused();
  await ask(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await expect(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
  session.main.say('One more.');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
});
