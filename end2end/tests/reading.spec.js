// A transcript opens to any depth: steps by kind, code, secrets, sources; and nothing in it does anything.
import { expect, test } from '../lib/fixture.js';
import { Session } from '../lib/agent.js';
import { conversation } from '../lib/view.js';

const KEY = `ghp_${'0123456789abcdefghijABCDEFGHIJ'}012345`;

/** The page of a session, once the server knows it. */
async function shown(page, server, session) {
  await expect(async () => server.api(`/api/v1/sessions/${session.id}`)).toPass();
  await page.open(session.path);
  return conversation(page);
}

/** Opens all that is folded, and waits until it is there. */
async function unfold(log) {
  for (const fold of await log.locator('details').all()) await fold.evaluate((details) => (details.open = true));
  await expect(log.locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 60_000 });
}

/** Opens the step with this line and returns it. */
async function open(log, text) {
  const step = log.locator('.step').filter({ hasText: text }).last();
  await step.locator('summary').first().click();
  await expect(step.locator('.inside')).not.toHaveAttribute('aria-busy', 'true');
  return step;
}

test('each kind of step shows what it is about', async ({ page, server }) => {
  const session = new Session(server.projects);
  session.main
    .user('Go')
    .step('Bash', { command: 'cargo test', description: 'Run the tests' }, 'Exit code 101\n\u001b[31mfailed\u001b[0m\n10 %\r99 %', { error: true })
    .step('Read', { file_path: '/home/dev/demo/src/a.rs', offset: 7 }, '     7→fn main() {}\n     8→')
    .step('Edit', { file_path: '/home/dev/demo/src/a.rs', old_string: 'let a = 1;', new_string: 'let a = 2;' }, 'done')
    .step('mcp__tracker__list_items', { state: 'open', n: 1 }, '')
    .say('Done.');
  const log = await shown(page, server, session);

  const shell = await open(log, 'Run the tests');
  await expect(shell.locator('summary').first()).toContainText('cargo test');
  await expect(shell.locator('.facts')).toContainText('Exit code101');
  await expect(shell.locator('.lines .c1')).toHaveText('failed');
  await expect(shell.locator('.lines').last()).not.toContainText('10 %');

  const read = await open(log, 'src/a.rs:7');
  await expect(read.locator('.row').first()).toHaveAttribute('data-no', '7');
  await expect(read.locator('.lines .kw').first()).toHaveText('fn');

  const edit = await open(log, 'Editsrc/a.rs');
  await expect(edit.locator('.row.gone')).toContainText('let a = 1;');
  await expect(edit.locator('.row.new')).toContainText('let a = 2;');

  const mcp = await open(log, 'list_items of tracker');
  await expect(mcp.locator('.facts')).toContainText('Servertracker');
  await expect(mcp.getByText('Empty.')).toBeVisible();

  await mcp.getByLabel('About this entry').click();
  await mcp.getByRole('button', { name: 'Show the source line' }).click();
  await expect(mcp.locator('.about pre')).toContainText('"mcp__tracker__list_items"');
});

test('four reads are one line, which opens, and what is opened stays', async ({ page, server }) => {
  const session = new Session(server.projects);
  session.main.user('Go');
  for (const name of ['a', 'b', 'c']) session.main.step('Read', { file_path: `/home/dev/demo/${name}.rs` }, name);
  const log = await shown(page, server, session);
  await expect(log.locator('.step')).toHaveCount(3);
  await open(log, 'b.rs');
  session.main.step('Read', { file_path: '/home/dev/demo/d.rs' }, 'd').say('Read.');
  await expect(log.getByText('Read 4 files')).toBeVisible();
  await expect(log.locator('.fold .step')).toHaveCount(4);
  await expect(log.locator('.fold .step').nth(1).locator('.inside')).toBeVisible();
});

test('code is coloured once its fence is closed, and secrets are hidden until they are asked for', async ({ page, server }) => {
  const session = new Session(server.projects);
  session.main
    .user(`The token is ${KEY}`)
    .step('Bash', { command: `curl -H "Authorization: Bearer ${KEY}"` }, `TOKEN=${KEY}`)
    .say('```rust\nfn main() { let a = "x"; }\n```\n\nUse `' + KEY + '`.');
  const log = await shown(page, server, session);
  await expect(log.locator('.code .kw').first()).toHaveText('fn');
  const step = await open(log, 'curl');
  await expect(step.locator('.lines').last()).toContainText('TOKEN=ghp_••••••••');
  expect(await log.innerText()).not.toContain('0123456789abcdef');
  await page.getByLabel('Menu', { exact: true }).click();
  await page.getByRole('button', { name: 'Show secrets' }).click();
  await expect(log.locator('.turn')).toContainText(KEY);
  await expect(log.locator('.said')).toContainText(KEY);
  await expect(step.locator('.lines').last()).toContainText(`TOKEN=${KEY}`);
});

test('hostile content does nothing, whatever field it comes by', async ({ page, server }) => {
  const requests = [];
  page.context().on('request', (request) => !request.url().startsWith(server.origin) && requests.push(request.url()));
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    return dialog.dismiss();
  });
  const session = new Session(server.projects);
  const bad = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg>',
    '<iframe src="https://evil.test/"></iframe><link rel=stylesheet href=https://evil.test/x.css><style>@import "https://evil.test/y.css"</style>',
    '[x](javascript:alert(1)) [y](JaVaScRiPt:alert(1)) [z](data:text/html,<script>alert(1)</script>) [f](file:///etc/passwd) [c](claude-cli://open)',
    '![x](https://evil.test/x.png) ![y](//evil.test/y.png)',
    '[a](https://good.test@evil.test) [b](java\tscript:alert(1)) <javascript:alert(1)>',
    '\u001b]8;;https://evil.test\u0007link\u001b]8;;\u0007 \u001b]52;c;eA==\u0007 gpj.\u202eexe pay\u200bpal',
    '"><script>alert(1)</script>', "';alert(1);//", '{{constructor.constructor("alert(1)")()}}',
  ];
  session.main.user(bad.join('\n'));
  for (const text of bad) {
    session.main.think(text).say(text).step('Bash', { command: text, description: text, [text]: text }, text);
    session.main.step(text.slice(0, 60), { [text]: { [text]: text } }, text, { error: true });
    for (const name of ['Read', 'WebFetch', 'WebSearch', 'Task', 'Edit', 'mcp__a__b']) session.main.step(name, { file_path: text, url: text, prompt: text, old_string: text, new_string: 'x' }, text);
  }
  session.main.say('```"><script>alert(1)</script>\n' + bad.join('\n') + '\n```');
  session.main.start({ title: bad[0], prompt: bad[1], kind: bad[2] });
  session.main.say('The end of it.');
  const log = await shown(page, server, session);
  await expect(log.getByText('The end of it.')).toBeVisible();
  await unfold(log);
  expect(await log.locator('script, iframe, object, embed, link, style, img, svg a').count()).toBe(0);
  const links = await log.locator('a[href]').evaluateAll((all) => all.map((a) => a.getAttribute('href')).filter((href) => !/^(\/|\?|https?:|mailto:)/.test(href) || /evil/.test(href)));
  expect(links).toEqual([]);
  const text = await log.innerText();
  expect(/[\u001b\u202a-\u202e\u2066-\u2069\u0007]/.test(text)).toBe(false);
  expect(dialogs).toBe(0);
  expect(requests).toEqual([]);
});

test('what is selected in a growing text stays selected', async ({ page, server }) => {
  const tell = (type, more) => server.push('ag-ui', 'grow-1', `data: ${JSON.stringify({ type, ...more })}\n\n`);
  const grow = (delta) => tell('TEXT_MESSAGE_CONTENT', { messageId: 'm1', delta });
  await tell('RUN_STARTED', { threadId: 'grow-1', runId: 'r1' });
  await tell('TEXT_MESSAGE_START', { messageId: 'm1', role: 'assistant' });
  await grow('Chosen before marks, and an open `co');
  await page.open('/s/grow-1');
  const log = conversation(page);
  await expect(log).toContainText('an open co');
  const select = (words) =>
    log.evaluate((log, words) => {
      const walk = document.createTreeWalker(log, NodeFilter.SHOW_TEXT);
      let text = walk.nextNode();
      while (text && !text.data.includes(words)) text = walk.nextNode();
      const at = text.data.indexOf(words);
      getSelection().setBaseAndExtent(text, at, text, at + words.length);
    }, words);
  const selected = () => page.evaluate(() => getSelection().toString());
  const pieces = [
    ['Chosen before', 'de`, **bold** words', 'bold words'],
    ['bold words', ' and [a link](https://example.org/a).\n', 'a link'],
    ['Chosen before', '\n- one item\n- two items', 'two items'],
    ['one item', '\n- three\n\n```rust\nfn first() {}\n', 'fn first'],
    ['fn first', 'fn second() {}\n```\n\n| a | b |\n|---|---|\n| left | right |\n', 'right'],
    ['left', '| lower | last |\n\nThe end of it.', 'The end of it.'],
  ];
  for (const [words, delta, then] of pieces) {
    await select(words.split(' ')[0]);
    await grow(delta);
    await expect(log).toContainText(then);
    // Its colours come behind the end of the fence.
    if (words === 'fn first') await expect(log.locator('.code code span').first()).toBeVisible();
    await expect.poll(selected).toBe(words.split(' ')[0]);
  }
  await select('Chosen before');
  await tell('TEXT_MESSAGE_END', { messageId: 'm1' });
  await tell('TEXT_MESSAGE_START', { messageId: 'm2', role: 'assistant' });
  await tell('TEXT_MESSAGE_CONTENT', { messageId: 'm2', delta: 'Another text.' });
  await expect(log).toContainText('Another text.');
  expect(await selected()).toBe('Chosen before');
});

test('texts made to be slow are drawn, or cut in words', async ({ page, server }) => {
  const session = new Session(server.projects);
  const slow = [
    '['.repeat(100_000), `${'>'.repeat(20_000)} deep`, `${'- '.repeat(20_000)}deep`, '*a **b '.repeat(14_000),
    `|a|b|c|d|\n|-|-|-|-|\n${'|1|2|3|4|\n'.repeat(25_000)}`,
    'word '.repeat(200_000), '\u001b[31mred\u001b[0m '.repeat(50_000), '\u202eabc\u202c '.repeat(50_000), 'a\u200b'.repeat(200_000), '![a](https://example.org/broken.png)',
  ];
  session.main.user('Draw them');
  for (const text of slow) session.main.say(text).step('Bash', { command: 'cat it' }, text);
  session.main.say('The end of it.');
  const log = await shown(page, server, session);
  await expect(log.getByText('The end of it.')).toBeVisible();
  await unfold(log);
  // What is drawn at once is bounded, and what is not drawn says how much it is.
  expect(await log.locator('*').count()).toBeLessThan(20_000);
  const rest = await log.getByRole('button', { name: /^Show all/ }).allInnerTexts();
  expect(rest.length).toBeGreaterThan(10);
  for (const words of rest) expect(words).toMatch(/^Show all \([\d.]+ (KB|MB|characters) more\)$/);
  await page.getByRole('link', { name: 'Sessions' }).first().click();
  await expect(page).toHaveURL(/\/$/);
});
