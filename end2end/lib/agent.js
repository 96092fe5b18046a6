// A scripted agent: it writes what Claude Code writes, line by line, into a watched folder. All content is synthetic.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';

let calls = 0;

/** One session: `session.main` is its main agent. */
export class Session {
  /** @param {string} projects the watched folder */
  constructor(projects, { id = randomUUID(), clock = () => Date.now() } = {}) {
    this.id = id;
    this.clock = clock;
    this.folder = join(projects, '-home-dev-demo');
    this.main = new Agent(this, join(this.folder, `${id}.jsonl`));
  }

  /** An agent that nothing tells who started: its file alone is there. */
  stray(title) {
    const id = `a${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    const child = new Agent(this, join(this.folder, this.id, 'subagents', `agent-${id}.jsonl`), id);
    Object.assign(child, { title, prompt: title, kind: 'general-purpose' });
    return child.user(title);
  }

  /** The session's page. */
  get path() {
    return `/s/${this.id}`;
  }
}

/** One agent with its file. */
class Agent {
  constructor(session, file, id) {
    this.session = session;
    this.file = file;
    this.id = id;
    this.last = null;
    mkdirSync(dirname(file), { recursive: true });
  }

  /** The agent's own page. */
  get path() {
    return `${this.session.path}/a/${this.id ?? 'main'}`;
  }

  line(type, more) {
    const uuid = randomUUID();
    const line = {
      parentUuid: this.last,
      isSidechain: this.id !== undefined,
      userType: 'external',
      cwd: '/home/dev/demo',
      sessionId: this.session.id,
      version: '2.1.281',
      gitBranch: 'main',
      type,
      uuid,
      timestamp: new Date(this.session.clock()).toISOString(),
      ...(this.id && { agentId: this.id }),
      ...more,
    };
    this.last = uuid;
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }

  /** A user's turn. */
  user(text) {
    this.line('user', { message: { role: 'user', content: text } });
    return this;
  }

  /** One message of the model, a line for each block. */
  message(...blocks) {
    const id = `msg_${randomUUID().slice(0, 16)}`;
    let output = 0;
    for (const block of blocks) {
      output += 40;
      const usage = { input_tokens: 4, output_tokens: output, cache_read_input_tokens: 1000, cache_creation_input_tokens: 10 };
      const message = { id, type: 'message', role: 'assistant', model: 'model-large', content: [block], stop_reason: null, usage };
      this.line('assistant', { message });
    }
    return this;
  }

  say(text) {
    return this.message({ type: 'text', text });
  }

  think(text) {
    return this.message({ type: 'thinking', thinking: text, signature: 'c2ln' });
  }

  /** Starts a tool call and returns its id. */
  call(name, input) {
    const id = nextCall();
    this.message({ type: 'tool_use', id, name, input });
    return id;
  }

  result(call, content, { error = false, extra } = {}) {
    const block = { type: 'tool_result', tool_use_id: call, content, ...(error && { is_error: true }) };
    this.line('user', { message: { role: 'user', content: [block] }, toolUseResult: extra ?? content });
    return this;
  }

  /** A whole tool step. */
  step(name, input, content, how) {
    return this.result(this.call(name, input), content, how);
  }

  /** Starts children in one message; each plan is {title, prompt, kind}. Their files begin with the prompt. */
  start(...plans) {
    const depth = (this.depth ?? 0) + 1;
    const ids = plans.map(() => nextCall());
    this.message(
      ...plans.map(({ title, prompt, kind = 'general-purpose' }, at) => ({
        type: 'tool_use',
        id: ids[at],
        name: 'Agent',
        input: { description: title, prompt, subagent_type: kind },
      })),
    );
    return plans.map(({ title, prompt, kind = 'general-purpose' }, at) => {
      const id = `a${randomUUID().replaceAll('-', '').slice(0, 16)}`;
      const file = join(this.session.folder, this.session.id, 'subagents', `agent-${id}.jsonl`);
      const child = new Agent(this.session, file, id);
      Object.assign(child, { depth, title, prompt, kind, starter: this, startedBy: ids[at] });
      const meta = { agentType: kind, description: title, toolUseId: ids[at], spawnDepth: depth };
      writeFileSync(file.replace('.jsonl', '.meta.json'), JSON.stringify(meta));
      child.user(prompt);
      return child;
    });
  }

  /** What it turned out to be: the child of a call of this agent. */
  adopt(child) {
    const call = this.call('Agent', { description: child.title, prompt: child.prompt, subagent_type: child.kind });
    Object.assign(child, { starter: this, startedBy: call });
  }

  /** The child's last words, and the result in its parent. */
  finish(text, { error = false } = {}) {
    if (!error) this.say(text);
    const content = [{ type: 'text', text }];
    const extra = { status: 'completed', prompt: this.prompt, agentType: this.kind, agentId: this.id, content, totalDurationMs: 4000, totalTokens: 1000 };
    if (error) this.starter.result(this.startedBy, `Error: ${text}`, { error: true });
    else this.starter.result(this.startedBy, [...content, { type: 'text', text: `agentId: ${this.id}` }], { extra });
    return this;
  }
}

function nextCall() {
  calls += 1;
  return `toolu_${process.pid}x${String(calls).padStart(18, '0')}`;
}
