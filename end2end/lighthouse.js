// Lighthouse 12, mobile, of the list and of a transcript: the median of so many runs (by default 5), on a machine that does nothing else.
//   node end2end/lighthouse.js [RUNS]
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { launch } from './lib/browser.js';
import { startServer } from './lib/server.js';

const runs = Number(process.argv[2] ?? 5);
const server = await startServer({ demo: true });
const report = join(tmpdir(), `lighthouse-${process.pid}.json`);
try {
  const body = JSON.stringify({ code: server.pairing.split('#')[1] });
  const paired = await fetch(`${server.origin}/api/pair`, { method: 'POST', headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }, body });
  const [cookie] = paired.headers.get('set-cookie').split(';');
  const agent = await transcript();
  for (const path of ['/', agent]) {
    const found = {};
    for (let run = 0; run < runs; run += 1) {
      for (const { id, score } of measure(path, cookie)) (found[id] ??= []).push(Math.round(score * 100));
    }
    const median = (scores) => scores.sort((a, b) => a - b)[Math.floor(scores.length / 2)];
    console.log(path === '/' ? 'list' : 'transcript', Object.entries(found).map(([id, scores]) => `${id} ${median(scores)} (${scores.join(' ')})`).join(', '));
  }
} finally {
  rmSync(report, { force: true });
  await server.stop();
}

/** The page of one of the demo's agents, once it has begun. */
async function transcript() {
  for (;;) {
    const [session] = (await server.api('/api/v1/sessions')).sessions;
    const agents = session ? (await server.api(`/api/v1/sessions/${session.id}`)).agents.filter((agent) => agent.n > 0) : [];
    if (agents.length) return `/s/${session.id}/a/${agents[0].id}`;
    await new Promise((again) => setTimeout(again, 300));
  }
}

/** Scores by category. Chromium loses the trace of a run now and then, and Lighthouse then ends in an error: such a run is made again, twice at most. */
function measure(path, cookie, again = 2) {
  const wanted = ['--only-categories=performance,accessibility,best-practices', '--output=json', `--output-path=${report}`, '--quiet'];
  const how = [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`, `--chrome-flags=--headless=new ${launch.args.join(' ')}`];
  const env = { ...process.env, CHROME_PATH: launch.executablePath };
  try {
    execFileSync('npx', ['--yes', 'lighthouse@12', server.origin + path, ...wanted, ...how], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  } catch (error) {
    if (again === 0) throw error;
    return measure(path, cookie, again - 1);
  }
  return Object.values(JSON.parse(readFileSync(report, 'utf8')).categories);
}
