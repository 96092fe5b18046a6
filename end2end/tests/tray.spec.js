// Agents without a parent: in a tray, until a person or the source says whose they are.
import { expect, test } from '../lib/fixture.js';
import { cards, card, dock } from '../lib/view.js';
import { idle } from '../lib/working.js';

test('a person names a parent and takes it back; evidence moves the agent out by itself', async ({ page, server }) => {
  const session = await idle(page, server);
  const [known] = session.main.start({ title: 'Known', prompt: 'Known' });
  const stray = session.stray('Stray');
  stray.say('Nobody sent me.');
  await dock(page).getByRole('button', { name: '1 without a parent' }).click();
  const tray = cards(page).filter({ hasText: 'Nothing in the source says' });
  const parent = tray.getByRole('combobox', { name: 'Started by' });
  await parent.selectOption('Known');
  await expect(parent).toHaveValue(/^\d+$/);
  const row = async () => (await server.api(`/api/v1/sessions/${session.id}`)).agents.find((agent) => agent.title === 'Stray');
  await expect.poll(async () => (await row()).link).toBe('assigned');
  expect((await server.exported(session.id)).agents.find((agent) => agent.title === 'Stray').link).toBe('assigned');
  await tray.getByRole('button', { name: 'Stray' }).click();
  await expect(card(page, 'Stray').getByText('assigned')).toBeVisible();
  await page.reload();
  await expect(parent).toHaveValue(/^\d+$/);
  await parent.selectOption('nobody knows');
  await expect.poll(async () => (await row()).link).toBe('unlinked');
  await parent.selectOption('Known');
  await expect.poll(async () => (await row()).link).toBe('assigned');

  session.main.adopt(stray);
  stray.finish('I was yours.');
  await expect.poll(async () => (await row()).link).toBe('exact');
  await expect(tray.getByRole('combobox')).toHaveCount(0);
  known.finish('Done.');
});
