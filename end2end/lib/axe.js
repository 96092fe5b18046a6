// axe-core on a page: what breaks WCAG 2.2 AA.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The violations on a page, one line a node, and the names of the rules that were looked at. */
export async function violations(page) {
  await page.evaluate(source);
  return page.evaluate(async (tags) => {
    const found = await window.axe.run(document, { runOnly: { type: 'tag', values: tags }, rules: { 'target-size': { enabled: true } } });
    const rules = [...found.passes, ...found.violations, ...found.incomplete, ...found.inapplicable].map((rule) => rule.id);
    return { rules, broken: found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary}`)) };
  }, tags);
}
