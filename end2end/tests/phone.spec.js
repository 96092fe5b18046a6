// The list on a phone: sessions unfold into their agents, who opens full screen; several are selected and deleted at once.
import { violations } from '../lib/axe.js';
import { Session } from '../lib/agent.js';
import { loggedIn } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';
import { conversation } from '../lib/view.js';
import { known } from '../lib/working.js';

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

const item = (page, title) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) }).first();
const count = (page, of) => item(page, of).getByRole('button', { name: /agents?\b/ });
const sub = (page, title) => page.locator('.sub > a', { hasText: title });
const titles = (page) => page.locator('.sub b').allTextContents();

/** Agents without stubs and tombstones. */
const shown = ({ agents }) => agents.filter((agent) => !agent.hidden && agent.merged_into === undefined);

/** Two ended agents, one that runs with one below it, and one that failed. */
async function run(server, title = 'Move the queue') {
  const session = new Session(server.projects);
  session.main.user(title);
  const [one, two, three, four] = session.main.start(...['Map callers', 'Run the soak test', 'Review the schema', 'Write the migration'].map((title) => ({ title, prompt: `Please: ${title}` })));
  one.say('Mapped.').finish('Nine callers.');
  two.finish('It broke.', { error: true });
  three.step('Read', { file_path: '/home/dev/demo/src/schema.rs' }, 'x').finish('Fine.');
  four.call('Bash', { command: 'cargo test', description: 'Run the tests' });
  const [below] = four.start({ title: 'Read the client', prompt: 'Read it' });
  await known(server, session);
  await expect.poll(async () => shown(await server.api(`/api/v1/sessions/${session.id}`)).length).toBe(6);
  return { session, one, two, three, four, below };
}

/** Touches the screen by the browser's own protocol, as a finger does. */
async function finger(page) {
  const cdp = await page.context().newCDPSession(page);
  /** `timestamp`, in seconds, is when it happens to the page; left out, now. */
  const send = (type, points, timestamp) => cdp.send('Input.dispatchTouchEvent', { type, timestamp, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const middle = async (target) => {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  return {
    down: async (target, at) => send('touchStart', [await middle(target)], at),
    move: async (x, y, at) => send('touchMove', [[x, y]], at),
    second: async (a, b) => send('touchStart', [await middle(a), await middle(b)]),
    up: (at) => send('touchEnd', [], at),
    middle,
  };
}

const SIZES = [[390, 844], [320, 568], [768, 1024]];

for (const [width, height] of SIZES) {
  test.describe(`at ${width}×${height}`, () => {
    test.use({ viewport: { width, height } });

    test('a session unfolds into its agents, and stays so', async ({ page, server }) => {
      const { four } = await run(server);
      await page.open('/');
      const disclosure = count(page, 'Move the queue');
      await expect(disclosure).toHaveAttribute('aria-expanded', 'false');
      await disclosure.tap();
      await expect(disclosure).toHaveAttribute('aria-expanded', 'true');
      await expect(sub(page, 'Map callers')).toContainText(/finished/);
      await expect(sub(page, 'Run the soak test')).toContainText(/failed/);
      await expect(sub(page, 'Write the migration')).toContainText(/running/);
      expect((await titles(page)).slice(0, 2).map((text) => text.split(' (')[0])).toEqual(['Write the migration', 'Read the client']);
      await expect(page.locator('.sub.deep1')).toHaveCount(1);
      await page.open('/');
      await expect(count(page, 'Move the queue')).toHaveAttribute('aria-expanded', 'true');
      await expect(sub(page, 'Map callers')).toBeVisible();
      // What happens is told.
      four.finish('Written.');
      await expect(sub(page, 'Write the migration')).toContainText(/finished/);
      await count(page, 'Move the queue').tap();
      await expect(sub(page, 'Map callers')).toHaveCount(0);
      await page.open('/');
      await expect(count(page, 'Move the queue')).toHaveAttribute('aria-expanded', 'false');
    });

    test('a tap opens the transcript, and back leads to the list as it was', async ({ page, server }) => {
      for (const n of [1, 2, 3]) await run(server, `Session ${n}`);
      await page.open('/');
      for (const n of [1, 2, 3]) await count(page, `Session ${n}`).tap();
      await expect(page.locator('.sub')).toHaveCount(15);
      const target = page.locator('.sub > a', { hasText: 'Write the migration' }).last();
      await target.scrollIntoViewIfNeeded();
      const scrolled = await page.evaluate(() => window.scrollY);
      expect(scrolled).toBeGreaterThan(200);
      await target.tap();
      await expect(page.getByRole('heading', { name: 'Write the migration' })).toBeVisible();
      await expect(conversation(page)).toBeVisible();
      await expect(page.getByRole('link', { name: 'Sidedeck, all sessions' })).toBeHidden();
      await expect(page.locator('.agent-head .under')).toContainText(/Session \d/);
      // From one agent to another the page is replaced: back always leads up.
      await conversation(page).getByRole('link', { name: 'Read the client' }).first().tap();
      await expect(page.getByRole('heading', { name: 'Read the client' })).toBeVisible();
      await expect(page.locator('.agent-head .under')).toContainText('Write the migration');
      await page.getByRole('link', { name: 'Back', exact: true }).tap();
      await page.waitForURL((url) => url.pathname === '/');
      await expect(page.locator('.sub')).toHaveCount(15);
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled);
    });

    test('a page that was opened by its address leads back to the list too', async ({ page, server }) => {
      const { one } = await run(server);
      await page.open(one.path);
      await expect(page.getByRole('link', { name: 'Refresh' })).toBeVisible();
      await page.getByRole('link', { name: 'Back', exact: true }).tap();
      await page.waitForURL((url) => url.pathname === '/');
      await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
    });

    test('a long press selects, a stray one and a second finger do not', async ({ page, server }) => {
      await run(server);
      await page.open('/');
      await count(page, 'Move the queue').tap();
      const touch = await finger(page);
      const row = sub(page, 'Map callers');
      const bar = page.getByRole('group', { name: 'Selection' });
      await expect(row).toBeVisible();
      // A finger that strays is a scroll.
      await touch.down(row);
      const [x, y] = await touch.middle(row);
      await touch.move(x, y - 40);
      await touch.up();
      // A second finger is a pinch.
      await expect(async () => {
        // One that came late, on a machine that is busy, is a press before it: once more, then.
        if (await bar.count()) await bar.getByRole('button', { name: 'Done' }).tap();
        const begun = Date.now();
        await touch.second(row, sub(page, 'Review the schema'));
        const took = Date.now() - begun;
        await touch.up();
        expect(took).toBeLessThan(400);
      }).toPass();
      await expect(bar).toHaveCount(0);
      await touch.down(row);
      await expect(bar).toContainText('1 selected');
      await touch.up();
      await expect(row).toHaveAttribute('aria-checked', 'true');
      expect(new URL(page.url()).pathname, 'the click at its end opens nothing').toBe('/');
      await sub(page, 'Review the schema').tap();
      await expect(bar).toContainText('2 selected');
      await sub(page, 'Review the schema').tap();
      await expect(bar).toContainText('1 selected');
    });

    test('nothing moves under a finger or while something is selected', async ({ page, server }) => {
      const { session, below, four } = await run(server);
      await page.open('/');
      await count(page, 'Move the queue').tap();
      await expect(page.locator('.sub')).toHaveCount(5);
      await page.getByRole('button', { name: 'Select' }).tap();
      await sub(page, 'Map callers').tap();
      const before = await titles(page);
      below.finish('Read.');
      four.finish('Written.');
      await expect(sub(page, 'Write the migration')).toContainText(/finished/);
      session.main.start({ title: 'One more', prompt: 'More' });
      await expect(sub(page, 'One more')).toBeVisible();
      expect(await titles(page)).toEqual([...before, expect.stringContaining('One more')]);
      await page.getByRole('button', { name: 'Cancel' }).tap();
      await expect.poll(async () => (await titles(page))[0]).toContain('One more');
    });

    test('what has ended is deleted, all at once; what runs holds it back', async ({ page, server }) => {
      const { session } = await run(server);
      const other = await run(server, 'Another');
      await page.open('/');
      await count(page, 'Move the queue').tap();
      await count(page, 'Another').tap();
      await page.getByRole('button', { name: 'Select' }).tap();
      const mine = (title) => item(page, 'Move the queue').locator('.sub > a', { hasText: title });
      const bar = page.getByRole('group', { name: 'Selection' });
      await item(page, 'Another').locator('.sub > a', { hasText: 'Map callers' }).tap();
      await expect(item(page, 'Another').getByRole('group', { name: 'Selection' })).toContainText('1 selected');
      // Picking in another session moves the selection there.
      await mine('Write the migration').tap();
      await expect(bar).toHaveCount(1);
      await expect(item(page, 'Move the queue').getByRole('group', { name: 'Selection' })).toContainText('1 selected');
      const remove = bar.getByRole('button', { name: /^Delete/ });
      await expect(remove).toBeDisabled();
      await expect(bar).toContainText('Not while these are at work: Write the migration (running).');
      await mine('Write the migration').tap();
      await expect(remove).toBeDisabled();
      await mine('Map callers').tap();
      await mine('Review the schema').tap();
      await remove.tap();
      const dialog = page.getByRole('dialog', { name: 'Delete 2 transcripts?' });
      await expect(dialog).toContainText('Files that it was read from stay as they are');
      await dialog.getByRole('button', { name: 'Delete' }).tap();
      await expect(mine('Map callers')).toHaveCount(0);
      await expect(mine('Review the schema')).toHaveCount(0);
      await expect(bar).toHaveCount(0);
      await expect(page.locator('.sub > a:focus')).toHaveCount(1);
      await expect(count(page, 'Move the queue')).toContainText('3 agents');
      await page.open('/');
      await expect(mine('Run the soak test')).toBeVisible();
      await expect(mine('Map callers')).toHaveCount(0);
      expect(other.session.id).not.toBe(session.id);
    });

    test('one that has begun again meanwhile holds all of them back', async ({ page, server }) => {
      const { session, one } = await run(server);
      await page.open('/');
      await count(page, 'Move the queue').tap();
      await page.getByRole('button', { name: 'Select' }).tap();
      await sub(page, 'Map callers').tap();
      await sub(page, 'Review the schema').tap();
      await page.getByRole('button', { name: 'Delete 2' }).tap();
      // The page does not hear of it before it asks.
      await page.route('**/api/fn/agents*', (route) => route.abort());
      // A minute later: within five seconds of an end a line still belongs to it.
      session.clock = () => Date.now() + 60_000;
      one.user('Go on, please.');
      await expect.poll(async () => (await server.api(`/api/v1/sessions/${session.id}`)).agents.find((agent) => agent.title === 'Map callers').status).toBe('running');
      await page.unroute('**/api/fn/agents*');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click({ force: true });
      await expect(page.getByRole('group', { name: 'Selection' })).toContainText(/Map callers/);
      const { agents } = await server.api(`/api/v1/sessions/${session.id}`);
      expect(shown({ agents }).length, 'all or nothing').toBe(6);
    });

    test('search and menu are at hand on an agent’s page', async ({ page, server }) => {
      const { one } = await run(server);
      await page.open(one.path);
      await page.getByRole('banner').getByLabel('Menu').tap();
      await page.getByRole('banner').getByRole('button', { name: 'Search' }).tap();
      const palette = page.getByRole('dialog', { name: 'Commands and search' });
      await palette.getByRole('combobox').fill('Review the schema');
      await expect(palette.getByRole('option').first()).toContainText('Review the schema');
      await palette.getByRole('button', { name: 'Close' }).tap();
      await expect(palette).toBeHidden();
      await expect(page.getByRole('heading', { name: 'Map callers' })).toBeVisible();
    });

    test('the menu is a sheet: dragged down it closes, up it grows, and Back closes it first', async ({ page, server }) => {
      const { one } = await run(server);
      await page.open('/');
      await page.open(one.path);
      const menu = page.getByRole('banner').getByLabel('Menu');
      const sheet = page.locator('.menu > .sheet-menu');
      const grip = sheet.locator('.grip');
      const touch = await finger(page);
      const open = async () => {
        // No tap: after a flick a browser takes the next one for the hand that stops it.
        await menu.click();
        await expect(sheet).toBeVisible();
        await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
        return sheet.boundingBox();
      };
      /** Drags the grip by so many px; it rests there for longer than a flick looks back, unless `flick`. */
      const drag = async (by, flick = false) => {
        const [x, y] = await touch.middle(grip);
        const begun = Date.now() / 1000;
        // A flick is as quick as it is said to be, on a busy machine too.
        const at = (step) => (flick ? begun + step / 50 : undefined);
        await touch.down(grip, at(0));
        for (let step = 1; step <= 2; step += 1) await touch.move(x, y + (by * step) / 2, at(step));
        if (!flick) await page.evaluate(() => new Promise((done) => setTimeout(done, 150)));
        await touch.up(at(3));
      };
      const first = await open();
      expect(first.height, 'at first').toBeLessThanOrEqual(height * 0.7 + 0.5);
      await drag(20);
      await expect(sheet, 'a little way down it stays').toBeVisible();
      expect((await sheet.boundingBox()).y).toBeCloseTo(first.y, 0);
      await drag(-(first.y - height * 0.2));
      await expect.poll(async () => Math.round((await sheet.boundingBox()).height)).toBe(Math.round(height * 0.9));
      await drag(height * 0.75);
      await expect(sheet, 'little was left').toBeHidden();
      await open();
      await page.touchscreen.tap(width / 2, 60);
      await expect(sheet, 'a tap beside it').toBeHidden();
      await open();
      await drag(height * 0.22, true);
      await expect(sheet, 'a flick').toBeHidden();
      await open();
      await page.goBack();
      await expect(sheet).toBeHidden();
      expect(new URL(page.url()).pathname, 'Back closes the sheet first').toBe(one.path);
      await expect(page.getByRole('heading', { name: 'Map callers' })).toBeVisible();
      await page.goBack();
      await page.waitForURL((url) => url.pathname === '/');
      // What is chosen in it leaves no step behind.
      await expect(page.locator('html[data-hydrated]')).toBeVisible();
      await menu.tap();
      await sheet.getByRole('link', { name: 'Settings' }).tap();
      await page.waitForURL((url) => url.pathname === '/settings');
      await page.goBack();
      await page.waitForURL((url) => url.pathname === '/');
      await expect(sheet).toBeHidden();
      await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
    });

    test('nothing moves under a finger', async ({ page, server }) => {
      const { below, four, session } = await run(server);
      await page.open('/');
      await count(page, 'Move the queue').tap();
      await expect(page.locator('.sub')).toHaveCount(5);
      const before = await titles(page);
      await page.evaluate(() => window.scrollTo(0, 0));
      const touch = await finger(page);
      const link = item(page, 'Move the queue').getByRole('link', { name: 'Move the queue' });
      const [x, y] = await touch.middle(link);
      await touch.down(link);
      below.finish('Read.');
      four.finish('Written.');
      session.main.start({ title: 'One more', prompt: 'More' });
      await expect(sub(page, 'One more')).toBeVisible();
      expect(await titles(page)).toEqual([...before, expect.stringContaining('One more')]);
      // It goes on as a scroll, and opens nothing.
      await touch.move(x, y + 40);
      await touch.up();
      await expect.poll(async () => (await titles(page))[0]).toContain('One more');
    });

    test('Back closes the palette, and ends a selection, before it leaves the page', async ({ page, server }) => {
      const { one } = await run(server);
      await page.open(one.path);
      await page.open('/');
      await count(page, 'Move the queue').tap();
      await page.getByRole('button', { name: 'Select' }).tap();
      await sub(page, 'Map callers').tap();
      const bar = page.getByRole('group', { name: 'Selection' });
      await expect(bar).toContainText('1 selected');
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Commands and search' });
      await expect(palette).toBeVisible();
      await page.goBack();
      await expect(palette, 'the uppermost first').toBeHidden();
      await expect(bar).toContainText('1 selected');
      await page.goBack();
      await expect(bar).toHaveCount(0);
      await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
      // Ended by its own button it leaves no step behind.
      await page.getByRole('button', { name: 'Select' }).tap();
      await page.getByRole('button', { name: 'Done' }).tap();
      await page.goBack();
      await page.waitForURL((url) => url.pathname === one.path);
    });

    test('loaded again with the sheet open, a page is left by one Back', async ({ page, server }) => {
      const { one } = await run(server);
      await page.open('/');
      await page.open(one.path);
      await page.getByRole('banner').getByLabel('Menu').tap();
      await expect(page.locator('.menu > .sheet-menu')).toBeVisible();
      await page.reload();
      await expect(page.locator('html[data-hydrated]')).toBeVisible();
      await page.goBack();
      await page.waitForURL((url) => url.pathname === '/');
    });

    test('pulling at a transcript scrolls it and nothing behind it', async ({ page, server }) => {
      const { one } = await run(server);
      await page.open(one.path);
      const behind = await conversation(page).evaluate((log) => {
        const seen = [];
        for (let at = log; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowY)) seen.push(getComputedStyle(at).overscrollBehaviorY);
        return seen;
      });
      expect(behind[0]).toBe('contain');
    });
  });
}

test.describe('what is refused', () => {
  // A browser counts such an answer as an error of the page.
  test.use({ lonely: true });

  test('back and refresh stand on the pages of errors too', async ({ page, server }) => {
    const { one } = await run(server);
    await page.open(one.path);
    for (const path of ['/s/nothing', '/nowhere', `${one.path}-none`]) {
      await page.open(path);
      await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Refresh' }).filter({ visible: true })).toHaveCount(1);
      await page.getByRole('link', { name: 'Back', exact: true }).filter({ visible: true }).tap();
      await page.waitForURL((url) => url.pathname === '/');
    }
  });

  test('one that is already gone holds the others back, in words', async ({ page, server }) => {
    const { session } = await run(server);
    await page.open('/');
    await count(page, 'Move the queue').tap();
    await page.getByRole('button', { name: 'Select' }).tap();
    await sub(page, 'Map callers').tap();
    await sub(page, 'Review the schema').tap();
    await page.route('**/api/fn/agents*', (route) => route.abort());
    const { agents } = await server.api(`/api/v1/sessions/${session.id}`);
    const gone = agents.find((agent) => agent.title === 'Map callers').id;
    await page.evaluate(
      ([session, id]) => fetch(`/api/v1/sessions/${session}/agents/delete`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ ids: [id] }) }),
      [session.id, gone],
    );
    await page.getByRole('button', { name: 'Delete 2' }).tap();
    await page.unroute('**/api/fn/agents*');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).tap();
    await expect(page.getByRole('group', { name: 'Selection' })).toContainText('Nothing was deleted: one of them is already gone.');
    await expect(sub(page, 'Map callers')).toHaveCount(0);
    await expect(sub(page, 'Review the schema')).toBeVisible();
  });
});

test.describe('asked once', () => {
  test.use({ asked: false });
  test('whether opened transcripts are saved is asked once', async ({ page, server }) => {
    const { session, one } = await run(server);
    await page.open(one.path);
    const question = page.getByRole('region', { name: 'Offline reading' });
    await expect(question).toContainText('Save the transcripts that you open');
    expect((await violations(page)).broken, 'the question').toEqual([]);
    const [asked, read] = [await question.boundingBox(), await conversation(page).boundingBox()];
    expect(asked.y, 'it covers no line, and moved none').toBeGreaterThanOrEqual(read.y + read.height - 0.5);
    await question.getByRole('button', { name: 'Save them' }).tap();
    await expect(question).toBeHidden();
    await expect.poll(() => page.evaluate(async (id) => JSON.parse(await globalThis.keeper.ask('state', JSON.stringify([id]))).saved, session.id)).toBeGreaterThan(0);
    await page.open(session.path);
    await expect(question).toHaveCount(0);
    await page.evaluate(() => localStorage.clear());
    await page.open(one.path);
    await question.getByRole('button', { name: 'No' }).tap();
    await page.open(one.path);
    await expect(conversation(page)).toContainText('Mapped.');
    await expect(question).toHaveCount(0);
  });
});

test('a browser is renamed, and removed once a person has said so twice', async ({ page, server, browser }) => {
  const other = await loggedIn(browser, { pairing: await link(page) });
  await page.open('/settings');
  const rows = page.getByRole('region', { name: 'Paired browsers' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  const row = rows.filter({ hasNotText: 'this one' });
  await expect(row).toContainText(/paired now.*last used now/);
  await row.getByRole('button', { name: /^Rename/ }).tap();
  const dialog = page.getByRole('dialog', { name: /this browser/ });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The kitchen tablet');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('The kitchen tablet');
  await row.getByRole('button', { name: 'Remove The kitchen tablet' }).tap();
  await expect(dialog).toContainText('logged out within a second');
  await dialog.getByRole('button', { name: 'Cancel' }).tap();
  await expect(rows).toHaveCount(2);
  await row.getByRole('button', { name: 'Remove The kitchen tablet' }).tap();
  await dialog.getByRole('button', { name: 'Remove' }).tap();
  await expect(rows).toHaveCount(1);
  expect(other.cookies.length).toBe(1);
});

/** A new link, as `sidedeck link` prints it. */
async function link(page) {
  const { origin, path } = await page.evaluate(async () => (await fetch('/api/v1/links', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })).json());
  return origin + path;
}

for (const [width, height] of SIZES) {
  test(`nothing is found and nothing sticks out at ${width} px`, async ({ page, server }) => {
    test.slow();
    await page.setViewportSize({ width, height });
    const { four, session } = await run(server);
    const states = {
      list: async () => page.open('/'),
      unfolded: async () => {
        await count(page, 'Move the queue').tap();
        await expect(sub(page, 'Map callers')).toBeVisible();
      },
      selection: async () => {
        await page.getByRole('button', { name: 'Select' }).tap();
        await sub(page, 'Map callers').tap();
        await sub(page, 'Write the migration').tap();
      },
      confirming: async () => {
        await sub(page, 'Write the migration').tap();
        await page.getByRole('button', { name: 'Delete 1' }).tap();
        await expect(page.getByRole('dialog')).toBeVisible();
      },
      session: async () => page.open(session.path),
      transcript: async () => page.open(four.path),
      sheet: async () => {
        await page.getByRole('banner').getByLabel('Menu').tap();
        await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
      },
    };
    for (const colorScheme of ['light', 'dark']) {
      await page.evaluate(() => localStorage.removeItem('list:open'));
      await page.emulateMedia({ colorScheme });
      for (const [state, go] of Object.entries(states)) {
        await go();
        // Not against the inner width: a phone's grows with what sticks out.
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide, `${state} at ${width}`).toBeLessThanOrEqual(width);
        const { broken } = await violations(page);
        expect(broken, `${state}, ${colorScheme}`).toEqual([]);
      }
    }
  });
}
