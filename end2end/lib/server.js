// A server of the shipped binary, with a data folder and a watched folder of its own.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const binary = process.env.SIDEDECK_BINARY ?? new URL('../../target/release/sidedeck', import.meta.url).pathname;
const token = 'end2end-token-0123456789abcdef0123456789abcdef';

/**
 * Starts a server. With `demo` it plays the demo; else it watches `server.projects`. `data` is a data folder to use and keep; `after` a
 * server that was halted, whose place it takes.
 */
export async function startServer({ demo = false, env = {}, data: kept, after } = {}) {
  const home = after?.home ?? (await mkdtemp(join(tmpdir(), 'sidedeck-')));
  const addr = after ? new URL(after.origin).host : '127.0.0.1:0';
  const data = kept ?? join(home, 'data');
  const projects = join(home, 'projects');
  await mkdir(projects, { recursive: true });
  const source = demo ? ['--demo', '--no-watch'] : ['--watch', projects];
  const settings = { PATH: process.env.PATH, HOME: home, SIDEDECK_TOKEN: token, ...env };
  const child = spawn(binary, ['serve', '--addr', addr, '--data', data, ...source], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const pairing = await firstUrl(child, ended);
  const origin = new URL(pairing).origin;

  return {
    origin,
    pairing,
    home,
    pid: child.pid,
    data,
    projects,
    /** Reads JSON from one of the programs' routes. */
    async api(path) {
      const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    /** Pushes a body of lines or events, and waits for their commit. */
    async push(dialect, session, body, type = 'text/event-stream') {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type };
      const answer = await fetch(`${origin}/api/v1/ingest/${dialect}/${encodeURIComponent(session)}`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`${dialect}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    /** The exported session, as `sidedeck export` writes it. */
    async exported(session) {
      const { stdout } = await run(binary, ['export', session, '--format', 'json', '--data', data], { maxBuffer: 1 << 28 });
      return JSON.parse(stdout);
    },
    /** Ends the process and leaves its folders. */
    async halt() {
      child.kill('SIGTERM');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The URL that logs a browser in: the first one that the server prints. */
function firstUrl(child, ended) {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk) => {
      said += chunk;
      const url = said.match(/http:\/\/\S+#\S+/);
      if (url) resolve(url[0]);
    };
    child.stdout.setEncoding('utf8').on('data', listen);
    child.stderr.setEncoding('utf8').on('data', listen);
    child.once('error', () => reject(new Error(`${binary} cannot be run: run 'make build' first`)));
    ended.then((code) => reject(new Error(`the server ended with ${code} before it printed a URL:\n${said}`)));
  });
}
