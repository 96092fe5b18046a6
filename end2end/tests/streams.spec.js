// Pushed streams of four dialects: cards are there while they go.
import { expect, test } from '../lib/fixture.js';
import { events } from '../lib/fixtures.js';
import { card, conversation } from '../lib/view.js';

/** In each: what a child says or does (and where its event tells it otherwise), what it says then, and what main says behind it. */
const STREAMS = [
  { dialect: 'langgraph', file: 'two-scouts.sse', session: 'lg-1', title: 'Read the old parser', half: 'The old one', whole: 'The old one is recursive.', last: 'One recurses, one does not.' },
  { dialect: 'deerflow', file: 'two-tasks.sse', session: 'df-1', title: 'Look left', at: 'web_search', half: 'Search the web', whole: 'Two hits on the left.', last: 'Only the left has something.' },
  { dialect: 'langalpha', file: 'two-tasks.sse', session: 'la-1', title: 'Screen', half: 'The second', whole: 'The second list is long.', last: 'Both are under way.' },
  { dialect: 'ag-ui', file: 'two-subagents.sse', session: 'ag-1', title: 'south', half: 'South is', whole: 'South is warm.', last: 'Cold up there.' },
];

for (const { dialect, file, session, title, half, at = half, whole, last } of STREAMS) {
  test(`${dialect} draws cards as it goes`, async ({ page, server }) => {
    const all = events(`${dialect}/${file}`);
    const told = (text) => all.findIndex((event) => event.includes(text));
    const [first, end] = [told(at) + 1, told(last)];
    expect(first).toBeGreaterThan(0);
    await server.push(dialect, session, all[0]);
    await page.open(`/s/${session}`);
    for (const event of all.slice(1, first)) await server.push(dialect, session, event);
    const it = card(page, title).filter({ hasText: half }).first();
    await expect(it).toBeVisible();
    await expect(it).not.toContainText(whole);
    for (const event of all.slice(first, end)) await server.push(dialect, session, event);
    await expect(it).toContainText(whole);
    await expect(conversation(page)).not.toContainText(last);
    for (const event of all.slice(end)) await server.push(dialect, session, event);
    await expect(conversation(page)).toContainText(last);
    await expect(conversation(page)).not.toContainText(whole);
  });
}
