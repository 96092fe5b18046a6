// Completes the site folder: styles in one file, public/ as it is, and a .br and .gz beside everything that shrinks.
//   node tools/site.mjs SITE BUILD
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const [site, build] = process.argv.slice(2);

// main.css holds the tokens, so it comes first; the rest by name.
const styles = existsSync('style') ? readdirSync('style').filter((name) => name.endsWith('.css')) : [];
styles.sort((a, b) => (b === 'main.css') - (a === 'main.css') || (a < b ? -1 : 1));
const css = styles.map((name) => readFileSync(join('style', name), 'utf8')).join('\n');
writeFileSync(join(site, 'pkg', `sidedeck.${build}.css`), css.replace(/\/\*[^]*?\*\//g, '').replace(/^\s+/gm, ''));

if (existsSync('public')) cpSync('public', site, { recursive: true });

let raw = 0;
let packed = 0;
for (const path of readdirSync(site, { recursive: true })) {
  const file = join(site, path);
  if (statSync(file).isDirectory()) continue;
  const bytes = readFileSync(file);
  const br = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  const smaller = br.length < bytes.length * 0.95;
  if (smaller) {
    writeFileSync(`${file}.br`, br);
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
  raw += bytes.length;
  packed += smaller ? br.length : bytes.length;
  if (file.endsWith('.wasm')) console.error(`    ${path}: ${kb(bytes.length)}, brotli ${kb(br.length)}`);
}
console.error(`    site: ${kb(raw)}, brotli ${kb(packed)}`);

function kb(bytes) {
  return `${Math.round(bytes / 1024)} KB`;
}
