// Measures the shipped binary and prints a table: node bench.js [MEGABYTES]; with `cards` instead of a number, the cards alone.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

import { Session } from './lib/agent.js';
import { alive, launch } from './lib/browser.js';
import { startServer } from './lib/server.js';
import { seeded } from './lib/streams.js';

const root = new URL('..', import.meta.url).pathname;
const binary = process.env.SIDEDECK_BINARY ?? join(root, 'target/release/sidedeck');
const only = process.argv[2] === 'cards';
const wanted = Number(only ? 0 : (process.argv[2] ?? 100));
const home = mkdtempSync(join(tmpdir(), 'sidedeck-bench-'));
const row = (name, text) => console.log(`${name.padEnd(18)} ${text}`);
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const kb = (bytes) => `${Math.round(bytes / 1024)} KB`;

try {
  if (!only) await whole();
  await reopening();
  await moving();
  await dragging();
  if (!only) sizes();
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function whole() {
  const corpus = writeCorpus(join(home, 'corpus'), wanted);
  const files = readdirSync(corpus, { recursive: true }).map((name) => join(corpus, name)).filter((name) => name.endsWith('.jsonl'));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const parsing = parse(files);
  await importing(corpus, bytes, parsing);
  await opening();
  await latency();
  await hooking();
}

/** Synthetic projects of about that many megabytes, with one large session. */
function writeCorpus(folder, megabytes) {
  const projects = join(folder, 'projects');
  const random = seeded(1);
  const text = Array.from({ length: 4000 }, () => Math.floor(random() * 1e6).toString(36)).join(' ');
  const slice = (length) => {
    const from = Math.floor(random() * (text.length - length));
    return text.slice(from, from + length);
  };
  let clock = Date.UTC(2026, 0, 1);
  let written = 0;
  while (written < megabytes * 1e6) {
    const session = new Session(projects, { clock: () => (clock += 500) });
    for (let turn = 0; turn < 12 && written < megabytes * 1e6; turn += 1) {
      session.main.user(slice(200));
      const children = session.main.start(...Array.from({ length: 4 }, (_, at) => ({ title: `Check ${at}`, prompt: slice(300) })));
      for (let step = 0; step < 20; step += 1) {
        for (const child of children) {
          child.think(slice(150)).step('Read', { file_path: `/home/dev/demo/src/${step}.rs` }, slice(3000));
          written += 8000;
        }
      }
      for (const child of children) child.finish(slice(400));
      session.main.say(slice(600));
    }
  }
  return projects;
}

/** Seconds that JSON.parse takes for every line of the same files: what a machine is worth. */
function parse(files) {
  const start = performance.now();
  for (const file of files) for (const line of readFileSync(file, 'utf8').split('\n')) if (line) JSON.parse(line);
  return (performance.now() - start) / 1000;
}

async function importing(corpus, bytes, parsing) {
  const child = spawn(binary, ['import', corpus, '--json', '--data', join(home, 'data')], { stdio: ['ignore', 'pipe', 'inherit'] });
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, memory(child.pid, 'VmHWM'))), 50);
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  const start = performance.now();
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const seconds = (performance.now() - start) / 1000;
  clearInterval(watch);
  if (code !== 0) throw new Error(`import ended with ${code}`);
  const summary = JSON.parse(said);
  row('import', `${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s: ${(bytes / 1e6 / seconds).toFixed(0)} MB/s, ${(seconds / parsing).toFixed(1)} times JSON.parse in Node`);
  row('', `${summary.sessions} sessions, ${summary.agents} agents, ${summary.entries} entries`);
  row('', `peak memory ${kb(peak * 1024)}; database ${kb(folderBytes(join(home, 'data')))}`);
}

async function opening() {
  const server = await startServer({ data: join(home, 'data') });
  try {
    const { sessions } = await server.api('/api/v1/sessions');
    const path = `/s/${encodeURIComponent(sessions[0].id)}`;
    await withPage(server, async (page) => {
      const times = { first: [], whole: [], live: [] };
      let carried = 0;
      for (let turn = 0; turn < 10; turn += 1) {
        await page.goto(server.origin + path);
        await alive(page);
        const seen = await page.evaluate(() => {
          const [it] = performance.getEntriesByType('navigation');
          return { first: it.responseStart - it.requestStart, whole: it.responseEnd - it.requestStart, bytes: it.encodedBodySize, now: performance.now() };
        });
        times.first.push(seen.first);
        times.whole.push(seen.whole);
        times.live.push(seen.now);
        carried = seen.bytes;
      }
      row('open a session', `first byte ${ms(middle(times.first))}, page ${ms(middle(times.whole))} and ${kb(carried)}, alive ${ms(middle(times.live))} (median of 10)`);
    });
    row('server memory', `${kb(memory(server.pid, 'VmRSS') * 1024)} resident, ${kb(memory(server.pid, 'VmHWM') * 1024)} at its peak`);
  } finally {
    await server.stop();
  }
}

/** From the write of a line to the text on the screen. */
async function latency() {
  const server = await startServer();
  try {
    const session = new Session(server.projects);
    session.main.user('Say numbers');
    await withPage(server, async (page) => {
      await page.getByRole('link', { name: 'Say numbers' }).first().waitFor();
      await page.goto(server.origin + session.path);
      await alive(page);
      await page.evaluate(() => {
        window.seen = {};
        new MutationObserver(() => {
          const now = Date.now();
          for (const [, number] of document.body.innerText.matchAll(/number-(\d+)-end/g)) window.seen[number] ??= now;
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      const took = [];
      for (let number = 0; number < 60; number += 1) {
        const start = Date.now();
        session.main.say(`number-${number}-end`);
        await page.waitForFunction((it) => window.seen[it] !== undefined, number);
        took.push((await page.evaluate((it) => window.seen[it], number)) - start);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      took.sort((a, b) => a - b);
      row('append to screen', `median ${ms(middle(took))}, 95 of 100 under ${ms(took[Math.floor(took.length * 0.95)])}, worst ${ms(took.at(-1))}`);
    });
  } finally {
    await server.stop();
  }
}

/** What an agent waits for its hook: without a server, and with one. */
async function hooking() {
  const payload = JSON.stringify({ session_id: 'bench', hook_event_name: 'SubagentStart', agent_id: 'a1', agent_type: 'Explore' });
  const hook = async (data) => {
    const start = performance.now();
    const child = spawn(binary, ['hook', '--data', data], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.end(payload);
    await new Promise((resolve) => child.once('exit', resolve));
    return performance.now() - start;
  };
  const measure = async (name, data) => {
    const took = [];
    for (let turn = 0; turn < 50; turn += 1) took.push(await hook(data));
    took.sort((a, b) => a - b);
    row(name, `median ${ms(middle(took))}, 95 of 100 under ${ms(took[Math.floor(took.length * 0.95)])}`);
  };
  await measure('hook, no server', join(home, 'no-server'));
  const server = await startServer();
  await measure('hook, a server', server.data);
  await server.stop();
}

/** A reload with fifty open cards of sixty entries each: until all are back, and the longest that the page was held up. */
async function reopening() {
  const server = await startServer();
  try {
    const session = new Session(server.projects);
    session.main.user('Start many');
    const children = session.main.start(...Array.from({ length: 50 }, (_, at) => ({ title: `Agent ${at + 1}`, prompt: 'Go' })));
    for (const child of children) for (let word = 0; word < 60; word += 1) child.say(`Word ${word} of **many**.`);
    await withPage(server, async (page) => {
      await page.getByRole('link', { name: 'Start many' }).first().waitFor();
      await page.goto(`${server.origin}${session.path}?cards=${(await numbers(server, session, 50)).map((n) => `agent-${n}`).join(',')}`);
      const back = () => page.waitForFunction(() => document.querySelectorAll('article.card [role=log]').length === 50);
      await back();
      await page.waitForFunction(() => !new URL(location.href).searchParams.has('cards'));
      await page.addInitScript(() => {
        window.long = [];
        new PerformanceObserver((list) => window.long.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask', buffered: true });
      });
      await page.reload();
      await back();
      const { now, long } = await page.evaluate(() => ({ now: performance.now(), long: window.long }));
      row('50 cards, reload', `all back after ${ms(now)}; long tasks ${long.length}, worst ${ms(Math.max(0, ...long))}`);
    });
  } finally {
    await server.stop();
  }
}

/**
 * The same drag on a page without a client: what this machine's drawing costs by itself. Twelve boxes as large as the cards, each of which
 * gets 50 lines a second and shows its last ones, and one that follows the pointer.
 */
async function moving(seconds = 20) {
  const browser = await chromium.launch(launch);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.setContent(`<style>body { margin: 0 } div { position: absolute; width: 280px; height: 200px; overflow: hidden; contain: strict; border: 1px solid; border-radius: 12px; background: white; box-shadow: 0 4px 20px #0003 }</style>${'<div></div>'.repeat(13)}`);
    await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('div')];
      boxes.forEach((box, at) => (box.style.transform = `translate(${260 + (at % 4) * 290}px, ${60 + Math.floor(at / 4) * 206}px)`));
      let [x, y, lines] = [0, 0, 0];
      addEventListener('mousemove', (event) => ([x, y] = [event.clientX, event.clientY]));
      const seen = (window.drag = { frames: [], long: [] });
      new PerformanceObserver((list) => seen.long.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
      const start = performance.now();
      let last = start;
      const frame = (now) => {
        seen.frames.push(now - last);
        last = now;
        boxes[0].style.transform = `translate(${x}px, ${y}px)`;
        for (; lines < ((now - start) / 1000) * 50; lines += 1) {
          for (const box of boxes.slice(1)) {
            box.append(Object.assign(document.createElement('p'), { textContent: `Word ${lines}` }));
            if (box.childElementCount > 200) box.firstElementChild.remove();
          }
        }
        for (const box of boxes.slice(1)) box.scrollTop = box.scrollHeight;
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
    const start = Date.now();
    while (Date.now() - start < seconds * 1000) {
      const turn = (Date.now() - start) / 700;
      await hand();
      await page.mouse.move(700 + 400 * Math.cos(turn), 400 + 240 * Math.sin(turn));
    }
    const { frames, long } = await page.evaluate(() => window.drag);
    frames.sort((a, b) => a - b);
    row('boxes alone', `frames ${frames.length}, 95 of 100 under ${ms(frames[Math.floor(frames.length * 0.95)] ?? 0)}, worst ${ms(frames.at(-1) ?? 0)}; long tasks ${long.length}`);
  } finally {
    await browser.close();
  }
}

/** One card dragged for 20 s over eleven others, each of which gets 50 entries a second; a thirteenth gets none, 200 are minimised. */
async function dragging(seconds = 20) {
  const server = await startServer();
  try {
    const session = new Session(server.projects);
    session.main.user('Start many');
    const children = session.main.start(...Array.from({ length: 213 }, (_, at) => ({ title: `Agent ${at + 1}`, prompt: 'Go' })));
    await withPage(server, async (page) => {
      await page.getByRole('link', { name: 'Start many' }).first().waitFor();
      const agents = await numbers(server, session, 213);
      const [first, idle] = [agents[0], agents[12]];
      const list = agents.map((n, at) => `agent-${n}${at < 13 ? '' : '.dock'}`).join(',');
      await page.goto(`${server.origin}${session.path}?cards=${list}`);
      await alive(page);
      await page.waitForFunction(() => document.querySelectorAll('.cards > .card').length === 13);
      await page.getByRole('toolbar', { name: 'Cards' }).getByRole('button', { name: 'All cards' }).click();
      await page.getByRole('menuitem', { name: 'Tile' }).click();
      await page.waitForTimeout(3000);
      await page.evaluate((idle) => {
        const seen = (window.drag = { frames: [], long: [], idle: 0 });
        new PerformanceObserver((list) => seen.long.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
        new MutationObserver((list) => (seen.idle += list.length)).observe(document.querySelector(`#card-agent-${idle} .log`), { subtree: true, childList: true, characterData: true, attributes: true });
        let last = performance.now();
        const frame = (now) => {
          seen.frames.push(now - last);
          last = now;
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }, idle);
      const box = await page.locator(`#card-agent-${first}`).boundingBox();
      const [x, y] = [box.x + box.width * 0.5, box.y + 14];
      await page.mouse.move(x, y);
      await page.mouse.down();
      const start = Date.now();
      let written = 0;
      while (Date.now() - start < seconds * 1000) {
        const due = Math.floor(((Date.now() - start) / 1000) * 50);
        for (; written < due; written += 1) for (const child of children.slice(0, 12)) child.say(`Word ${written}`);
        const turn = (Date.now() - start) / 700;
        await hand();
        await page.mouse.move(x + 420 + 400 * Math.cos(turn), y + 260 + 240 * Math.sin(turn));
      }
      await page.mouse.up();
      const { frames, long, idle: changes } = await page.evaluate(() => window.drag);
      frames.sort((a, b) => a - b);
      row('drag over 12 live', `${written * 12} entries in ${seconds} s; frames ${frames.length}, 95 of 100 under ${ms(frames[Math.floor(frames.length * 0.95)] ?? 0)}, worst ${ms(frames.at(-1) ?? 0)}`);
      row('', `long tasks ${long.length}, worst ${ms(Math.max(0, ...long))}; changes in the idle card ${changes}; cards in the DOM ${await page.locator('.card').count()}`);
    });
  } finally {
    await server.stop();
  }
}

function sizes() {
  const pkg = join(root, 'target/site/pkg');
  for (const ending of ['wasm', 'js', 'css']) {
    const name = readdirSync(pkg).find((file) => file.endsWith(`.${ending}`));
    const packed = join(pkg, `${name}.br`);
    row(ending === 'wasm' ? 'client' : '', `${ending} ${kb(statSync(join(pkg, name)).size)}, brotli ${existsSync(packed) ? kb(statSync(packed).size) : 'none'}`);
  }
  row('binary', kb(statSync(binary).size));
}

/** A mouse tells where it is 125 times a second, and no more often. */
function hand() {
  return new Promise((resolve) => setTimeout(resolve, 8));
}

/** The numbers of a session's agents in the order of their titles "Agent 1", "Agent 2" …, once the server knows so many. */
async function numbers(server, session, count) {
  for (;;) {
    const { agents } = await server.api(`/api/v1/sessions/${session.id}?limit=5000`);
    const found = agents.filter((agent) => agent.n > 0 && !agent.merged_into).sort((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }));
    if (found.length === count) return found.map((agent) => agent.n);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function withPage(server, use) {
  const browser = await chromium.launch(launch);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.pairing);
    await page.waitForURL((url) => url.pathname === '/');
    await use(page);
  } finally {
    await browser.close();
  }
}

/** A field of /proc/PID/status in KiB, 0 where there is none. */
function memory(pid, field) {
  try {
    return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`${field}:\\s+(\\d+)`))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function folderBytes(folder) {
  return readdirSync(folder, { recursive: true }).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function middle(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
