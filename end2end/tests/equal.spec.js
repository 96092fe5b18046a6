// What a page shows live is what it shows after a reload; and agents never mix.
import { Session } from '../lib/agent.js';
import { alive } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';
import { stream } from '../lib/streams.js';
import { card, conversation, entries } from '../lib/view.js';

test('two parallel subagents with equal prompts never mix', async ({ page, server }) => {
  const session = new Session(server.projects);
  session.main.user('Ask twice');
  await expect(async () => server.api(`/api/v1/sessions/${session.id}`)).toPass();
  await page.open(session.path);
  const twins = session.main.start({ title: 'Twin', prompt: 'Look at the tree' }, { title: 'Twin', prompt: 'Look at the tree' });
  for (let turn = 0; turn < 6; turn += 1) {
    twins[0].say(`left-${turn}`);
    twins[1].say(`right-${turn}`);
  }
  await expect(card(page, 'Twin')).toHaveCount(2);
  await expect(page.getByText('left-5')).toBeVisible();
  await expect(page.getByText('right-5')).toBeVisible();
  for (const it of await card(page, 'Twin').all()) {
    const text = await it.innerText();
    expect(text.includes('left-') && text.includes('right-')).toBe(false);
  }
  expect((await entries(conversation(page))).join()).not.toMatch(/left-|right-/);

  twins[1].finish('right is done');
  twins[0].finish('left is done');
  for (const [child, mine, other] of [[twins[0], 'left', 'right'], [twins[1], 'right', 'left']]) {
    await page.open(child.path);
    await expect(conversation(page)).toContainText(`${mine} is done`);
    const seen = (await entries(conversation(page))).join('\n');
    for (let turn = 0; turn < 6; turn += 1) expect(seen).toContain(`${mine}-${turn}`);
    expect(seen).not.toContain(`${other}-`);
    expect(seen.match(new RegExp(`${mine} is done`, 'g'))).toHaveLength(1);
  }
});

// Ten for every run; SIDEDECK_SEEDS=200 for all that were asked of it once.
for (let seed = 1; seed <= Number(process.env.SIDEDECK_SEEDS ?? 10); seed += 1) {
  test(`a generated stream reads the same live and after a reload, seed ${seed}`, async ({ page, server }) => {
    const session = stream(server.projects, seed);
    session.acts.shift()();
    await expect(async () => server.api(`/api/v1/sessions/${session.id}`)).toPass();
    await page.open(session.path);
    const last = session.acts.pop();
    for (const act of session.acts) {
      act();
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    last();
    await expect(conversation(page)).toContainText('All done');
    await sameAfterReload(page, server, session.id, conversation);
  });
}

test.describe('demo', () => {
  // Slow enough that a busy machine still sees it move.
  test.use({ demo: true, env: { SIDEDECK_DEMO_SPEED: '1.5' } });

  test('the demo moves, ends, and reads the same after a reload', async ({ page, server }) => {
    test.slow();
    await page.getByRole('link', { name: /demo/i }).first().click();
    await expect(conversation(page)).toBeVisible();
    const count = async () => (await entries(conversation(page))).length;
    const before = await count();
    await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(before);
    const [{ id }] = (await server.api('/api/v1/sessions')).sessions;
    await expect.poll(async () => (await server.api(`/api/v1/sessions/${encodeURIComponent(id)}`)).session.status, { timeout: 180_000 }).toBe('idle');
    await sameAfterReload(page, server, id, conversation);
  });
});

/** Waits until the page has everything that the server has, and compares it with itself after a reload. */
async function sameAfterReload(page, server, id, log) {
  const main = async () => {
    const { agents } = await server.api(`/api/v1/sessions/${encodeURIComponent(id)}`);
    return agents.find((agent) => agent.n === 0).last_seq;
  };
  await expect(async () => {
    const live = await entries(log(page));
    expect(Number(live.at(-1)?.split(' ')[0])).toBe(await main());
  }).toPass();
  let live = await entries(log(page));
  await expect(async () => {
    const now = await entries(log(page));
    const rests = JSON.stringify(now) === JSON.stringify(live);
    live = now;
    expect(rests).toBe(true);
  }).toPass({ intervals: [300] });
  await page.reload();
  await alive(page);
  await expect.poll(() => entries(log(page))).toEqual(live);
}
