// A page while the client takes it over, in stages: what a person does between them breaks nothing.
import { Session } from '../lib/agent.js';
import { alive } from '../lib/browser.js';
import { expect, test } from '../lib/fixture.js';
import { idle } from '../lib/working.js';

/** Runs `act` in the page whenever the client pauses between two stages, and counts that in `window.pauses`. */
async function betweenStages(page, act) {
  await page.addInitScript(`
    window.pauses = 0;
    const later = window.setTimeout;
    let begun = false;
    window.setTimeout = (job, ...rest) => {
      if (job.name === 'hydrate') begun = true;
      else if (begun && !document.documentElement.dataset.hydrated) { window.pauses += 1; (${act})(); }
      return later(job, ...rest);
    };`);
}

test('of_presses_between_two_stages_the_last_one_comes_when_the_page_is_there', async ({ page, server }) => {
  for (let n = 0; n < 30; n += 1) {
    const session = new Session(server.projects);
    session.main.user(`Matter ${n}`).start({ title: 'Look', prompt: 'Look at it' });
  }
  await expect(page.locator('.card-row')).toHaveCount(30);
  await betweenStages(page, `() => [...document.querySelectorAll('.top button, .unfold')].slice(0, 9).forEach((button) => button.click())`);
  await page.open('/');
  expect(await page.evaluate(() => window.pauses)).toBeGreaterThan(2);
  await expect(page.locator('.unfold[aria-expanded=true]')).toHaveCount(1);
  await expect(page.locator('.sessions.selecting')).toHaveCount(0);
  await page.getByRole('button', { name: 'Select' }).click();
  await expect(page.locator('.sessions.selecting')).toHaveCount(1);
  await expect(page.locator('.card-row')).toHaveCount(30);
});

test('who_goes_back_between_two_stages_is_there', async ({ page, server }) => {
  const session = await idle(page, server);
  await page.open('/');
  await page.getByRole('link', { name: /Review the parser/ }).click();
  await expect(page).toHaveURL(server.origin + session.path);
  await betweenStages(page, `() => { if (window.pauses === 2 && location.pathname !== '/') history.back(); }`);
  await page.reload();
  await expect(page).toHaveURL(`${server.origin}/`);
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeVisible();
  await alive(page);
  await page.getByRole('link', { name: /Review the parser/ }).click();
  await expect(page).toHaveURL(server.origin + session.path);
});

test('keys_before_the_client_is_there_open_the_palette_then', async ({ page, server, context }) => {
  await idle(page, server);
  let come;
  const late = new Promise((go) => (come = go));
  await context.route('**/*.wasm', async (route) => {
    await late;
    await route.continue();
  });
  await page.goto(`${server.origin}/`);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('parsen');
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  come();
  await alive(page);
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('parse');
  await expect(page.getByRole('option', { name: /Review the parser/ })).toBeVisible();
});

test('a_client_that_fails_is_told', async ({ page, server, errors }) => {
  await idle(page, server);
  const said = page.getByRole('alert').filter({ hasText: 'no button works' });
  await expect(said).toBeHidden();
  // A stand-in for a panic, which reaches the page as this error.
  await page.evaluate(() => void setTimeout(() => { throw new WebAssembly.RuntimeError('unreachable'); }));
  await expect(said).toBeVisible();
  await expect.poll(() => errors.splice(0).join()).toContain('unreachable');
});

test('a_choice_before_the_client_is_there_is_kept', async ({ page, server, context }) => {
  let come;
  const late = new Promise((go) => (come = go));
  await context.route('**/*.wasm', async (route) => {
    await late;
    await route.continue();
  });
  await page.goto(`${server.origin}/settings`);
  await page.locator('main').getByText('Dark', { exact: true }).click();
  come();
  await alive(page);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
