// Files added on the list of sessions: dropped or chosen, they become sessions.
import { readFileSync, readdirSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Session } from '../lib/agent.js';
import { expect, test } from '../lib/fixture.js';
import { fixture } from '../lib/fixtures.js';
import { conversation } from '../lib/view.js';

const status = (page) => page.getByRole('region', { name: 'Adding files' });

/** Drops files on the page, as a hand would. */
async function drop(page, ...paths) {
  const files = paths.map((path) => ({ name: path.split('/').at(-1), text: readFileSync(path, 'utf8') }));
  const data = await page.evaluateHandle((files) => {
    const data = new DataTransfer();
    for (const { name, text } of files) data.items.add(new File([text], name));
    return data;
  }, files);
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: data });
  await expect(page.getByText('Drop to add')).toBeVisible();
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
  await expect(page.getByText('Drop to add')).toBeHidden();
}

test('a dropped file becomes a session, and opens', async ({ page }) => {
  await drop(page, fixture('langgraph/two-scouts.sse'));
  await page.waitForURL((url) => url.pathname === '/s/lg-1');
  await expect(conversation(page)).toContainText('One recurses, one does not.');
});

test('several are listed by name', async ({ page }) => {
  await drop(page, fixture('ag-ui/two-subagents.sse'), fixture('acp/exchange.jsonl'));
  await expect(status(page)).toContainText('2 sessions were read.');
  await status(page).getByRole('link').first().click();
  await page.waitForURL((url) => url.pathname.startsWith('/s/'));
});

test('what is no transcript is said in a sentence, and what is one is taken', async ({ page, errors }) => {
  const folder = mkdtempSync(join(tmpdir(), 'sidedeck-'));
  writeFileSync(join(folder, 'notes.txt'), 'Milk, bread.\n');
  await drop(page, join(folder, 'notes.txt'));
  await expect(status(page).getByRole('status')).toHaveText(/^notes\.txt: It is no transcript .*\.$/);
  // The browser's own word about the refusal.
  expect(errors.splice(0)).toEqual([expect.stringContaining('422')]);
  await drop(page, join(folder, 'notes.txt'), fixture('acp/exchange.jsonl'));
  await expect(status(page).getByRole('status')).toContainText('1 session was read; 1 file was left out: notes.txt');
  await status(page).getByRole('button', { name: 'Close' }).click();
  await expect(status(page)).toBeHidden();
});

test('files are chosen by the keyboard alone', async ({ page }) => {
  await page.getByRole('button', { name: 'Add files' }).focus();
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(fixture('codex/rollout.jsonl'));
  await page.waitForURL((url) => url.pathname.startsWith('/s/'));
  await expect(conversation(page)).toContainText('Seven files.');
});

test('a folder is taken with the transcripts of its agents', async ({ page, server }) => {
  const folder = mkdtempSync(join(tmpdir(), 'sidedeck-'));
  const session = new Session(folder);
  session.main.user('Look twice');
  const [child] = session.main.start({ title: 'Look left', prompt: 'Look left' });
  child.say('Nothing there.');
  child.finish('Nothing.');
  mkdirSync(join(folder, 'pictures'));
  writeFileSync(join(folder, 'pictures', 'a.png'), 'x');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add a folder' }).click();
  await (await chooser).setFiles(folder);
  await page.waitForURL((url) => url.pathname === session.path);
  const { agents } = await server.api(`/api/v1/sessions/${session.id}`);
  expect(agents.map((agent) => agent.title)).toContain('Look left');
});

test('what_is_dropped_while_files_are_sent_is_not_lost_without_a_word', async ({ page }) => {
  let send;
  const sent = new Promise((go) => (send = go));
  await page.route('**/api/v1/uploads', async (route) => {
    await sent;
    await route.continue();
  });
  await drop(page, fixture('acp/exchange.jsonl'));
  await expect(status(page)).toContainText('Sending 1 file');
  await drop(page, fixture('langgraph/two-scouts.sse'));
  await expect(status(page)).toContainText('What was dropped meanwhile was not taken');
  send();
  await expect(status(page).getByRole('link')).toHaveCount(1);
  await expect(status(page)).toContainText('drop it again');
  await drop(page, fixture('langgraph/two-scouts.sse'));
  await page.waitForURL((url) => url.pathname === '/s/lg-1');
});

test('it can be cancelled while it is sent', async ({ page, server }) => {
  await page.route('**/api/v1/uploads', () => {});
  await drop(page, fixture('acp/exchange.jsonl'));
  await expect(status(page)).toContainText('Sending 1 file');
  await status(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(status(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add files' })).toBeEnabled();
  expect((await server.api('/api/v1/sessions')).sessions).toEqual([]);
});

test('the bar moves while it is sent, and what is cancelled amid that leaves nothing', async ({ page, server }) => {
  const line = (n) => `${JSON.stringify({ type: 'user', uuid: `u${n}`, sessionId: 'big', message: { role: 'user', content: 'x'.repeat(1000) } })}\n`;
  const buffer = Buffer.from(Array.from({ length: 8000 }, (_, n) => line(n)).join(''));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1 << 20 });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files' }).click();
  await (await chooser).setFiles({ name: 'big.jsonl', mimeType: 'application/x-ndjson', buffer });
  const bar = status(page).getByRole('progressbar', { name: 'Sent' });
  const value = () => bar.evaluate((bar) => bar.value);
  await expect.poll(value).toBeGreaterThan(0);
  const first = await value();
  await expect.poll(value).toBeGreaterThan(first);
  expect(await value()).toBeLessThan(100);
  await status(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(status(page)).toBeHidden();
  const incoming = () => readdirSync(server.data).filter((name) => name === 'incoming').flatMap((name) => readdirSync(join(server.data, name)));
  await expect.poll(incoming).toEqual([]);
  expect((await server.api('/api/v1/sessions')).sessions).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('files are chosen by a tap', async ({ page }) => {
    await expect(page.getByRole('button', { name: 'Add a folder' })).toBeHidden();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add files' }).tap();
    await (await chooser).setFiles(fixture('gemini/chat.jsonl'));
    await page.waitForURL((url) => url.pathname === '/s/ge-1');
    await expect(conversation(page)).toContainText('One file.');
  });
});
