// Following the end of a live transcript is a latch that only the person breaks.
import { Session } from '../lib/agent.js';
import { expect, test } from '../lib/fixture.js';
import { conversation } from '../lib/view.js';

/** A long session on the screen, and the distance of its view from the end. */
async function long(page, server, turns = 60) {
  const session = new Session(server.projects);
  session.main.user('Count');
  for (let turn = 0; turn < turns; turn += 1) session.main.say(`Turn ${turn}.\n\nA second paragraph of turn ${turn}.`);
  await expect(async () => {
    const { agents } = await server.api(`/api/v1/sessions/${session.id}`);
    expect(agents[0].last_seq).toBe(turns + 1);
  }).toPass();
  await page.open(session.path);
  const log = conversation(page);
  const left = () => log.evaluate((it) => {
    let at = it;
    while (at && at.scrollHeight <= at.clientHeight + 1) at = at.parentElement;
    at ??= document.scrollingElement;
    return at.scrollHeight - at.clientHeight - at.scrollTop;
  });
  await expect.poll(left).toBeLessThan(4);
  return { session, log, left };
}

test('the newest part is in view, and stays there', async ({ page, server }) => {
  const { session, log, left } = await long(page, server);
  for (let turn = 0; turn < 20; turn += 1) session.main.say(`More ${turn}.`);
  await expect(log.getByText('More 19.')).toBeInViewport();
  await expect.poll(left).toBeLessThan(4);
});

test('scrolling up holds the view, the button leads back', async ({ page, server }) => {
  const { session, log, left } = await long(page, server);
  await log.hover();
  await page.mouse.wheel(0, -700);
  await expect.poll(left).toBeGreaterThan(300);
  const jump = page.getByRole('button', { name: /Jump to latest/ });
  await expect(jump).toBeVisible();
  const anchor = log.getByText('Turn 55.', { exact: true });
  const before = await anchor.boundingBox();
  for (let turn = 0; turn < 4; turn += 1) session.main.say(`More ${turn}.`);
  await expect(page.getByRole('button', { name: 'Jump to latest, 4 new' })).toBeVisible();
  expect((await anchor.boundingBox()).y).toBeCloseTo(before.y, 0);
  await jump.click();
  await expect(log.getByText('More 3.')).toBeInViewport();
  await expect.poll(left).toBeLessThan(4);
  await expect(jump).toBeHidden();
});

test('older parts come in on the way up, without a jump', async ({ page, server }) => {
  const { log } = await long(page, server, 700);
  await log.hover();
  await expect(async () => {
    await page.mouse.wheel(0, -20_000);
    await expect(log.getByText('Turn 0.', { exact: true })).toBeInViewport({ timeout: 400 });
  }).toPass({ timeout: 30_000 });
  const seqs = await log.locator('[data-seq]').evaluateAll((all) => all.map((it) => Number(it.dataset.seq)));
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  expect(new Set(seqs).size).toBe(seqs.length);
});
