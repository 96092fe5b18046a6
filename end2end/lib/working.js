// Sessions with running agents on the screen.
import { expect } from '@playwright/test';

import { Session } from './agent.js';
import { cards } from './view.js';

/** A session with running children of these titles, on the screen. */
export async function working(page, server, ...titles) {
  const session = await idle(page, server);
  const children = titles.length > 0 ? session.main.start(...titles.map((title) => ({ title, prompt: `Please: ${title}` }))) : [];
  return { session, children };
}

/** A session without children, on the screen. */
export async function idle(page, server) {
  const session = new Session(server.projects);
  session.main.user('Review the parser');
  await known(server, session);
  await page.open(session.path);
  return session;
}

/** Waits until the server knows a session. */
export async function known(server, session) {
  await expect(async () => server.api(`/api/v1/sessions/${session.id}`)).toPass();
}

/** Waits until so many cards stand on the table and rest there. */
export async function onTable(page, count) {
  await expect(cards(page)).toHaveCount(count);
}

/** Another device: a browser of its own, logged in, with nothing stored. */
export async function device(page) {
  const { cookies } = await page.context().storageState();
  const context = await page.context().browser().newContext({ storageState: { cookies, origins: [] }, viewport: page.viewportSize() });
  const errors = [];
  context.on('weberror', (error) => errors.push(String(error.error())));
  const other = await context.newPage();
  other.done = async () => {
    await context.close();
    expect(errors).toEqual([]);
  };
  return other;
}
