// Seeded streams of a session: lists of small acts, each of which appends a line or two to the files of a running agent.
import { Session } from './agent.js';

/** A generator of numbers in [0, 1) that a seed fixes (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS = 'parser buffer cursor ledger signal window queue frame token index retry merge branch commit probe shard lease epoch anchor'.split(' ');

/**
 * A session that plays `steps` acts. `session.acts` are functions to be called in order; the last ones end everything that runs.
 */
export function stream(projects, seed, steps = 40) {
  const random = seeded(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const sentence = (count) => Array.from({ length: count }, () => pick(WORDS)).join(' ');
  const session = new Session(projects);
  const { main } = session;
  const running = [];
  const open = [];
  const acts = [() => main.user(`Look into the ${sentence(4)}`)];

  const markdown = () =>
    pick([
      () => `The **${pick(WORDS)}** holds: ${sentence(9)}.`,
      () => `Steps:\n\n- ${sentence(3)}\n- \`${pick(WORDS)}\` and ${sentence(2)}\n\n1. ${sentence(3)}\n2. ${sentence(4)}`,
      () => `\`\`\`rust\nfn ${pick(WORDS)}(n: usize) -> usize {\n    n + ${Math.floor(random() * 90)}\n}\n\`\`\``,
      () => `| name | count |\n|---|---|\n| ${pick(WORDS)} | ${Math.floor(random() * 90)} |`,
      () => `<b onclick="x()">${sentence(2)}</b> & [a link](https://example.org/${pick(WORDS)}) [none](javascript:x)`,
    ])();

  const act = () => {
    const who = pick([main, ...running]);
    const kind = random();
    if (kind < 0.2) return who.say(markdown());
    if (kind < 0.35) return who.think(sentence(14));
    if (kind < 0.5) return open.push([who, who.call('Read', { file_path: `/home/dev/demo/src/${pick(WORDS)}.rs` })]);
    if (kind < 0.72 && open.length > 0) {
      const [[owner, call]] = open.splice(Math.floor(random() * open.length), 1);
      return owner.result(call, `    1  ${sentence(8)}\n    2  ${sentence(5)}`, { error: random() < 0.2 });
    }
    if (kind < 0.8) return who.step('Bash', { command: `cargo test ${pick(WORDS)}`, description: `Run the ${pick(WORDS)} tests` }, sentence(12));
    if (kind < 0.9 && running.length < 5) {
      const title = `Check ${sentence(2)}`;
      const prompt = sentence(12);
      const count = random() < 0.4 ? 2 : 1;
      return running.push(...who.start(...Array.from({ length: count }, () => ({ title, prompt }))));
    }
    const at = running.findLastIndex((child) => !running.some((other) => other.starter === child) && !open.some(([owner]) => owner === child));
    if (at >= 0) return running.splice(at, 1)[0].finish(markdown(), { error: random() < 0.2 });
    return main.user(sentence(6));
  };
  for (let count = 0; count < steps; count += 1) acts.push(act);
  acts.push(() => {
    for (const [owner, call] of open.splice(0)) owner.result(call, 'done');
    while (running.length > 0) running.pop().finish(sentence(9));
    main.say(`All done: ${sentence(5)}.`);
  });
  session.acts = acts;
  return session;
}
