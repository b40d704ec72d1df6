// Builds what is packaged: the extension as one file, beside it the grammars and the licences, which stand elsewhere in the
// repository.

import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';

const file = path => new URL(path, import.meta.url);

await rm(file('dist'), { recursive: true, force: true });
await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  external: ['vscode'],
  absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'warning',
});
for (const grammar of ['nisi.tmLanguage.json', 'nisi-markdown.tmLanguage.json']) {
  await copyFile(file(`../textmate/${grammar}`), file(`dist/${grammar}`));
}
const licences = ['LICENSE-MIT', 'LICENSE-APACHE'].map(name => readFile(file(`../../${name}`), 'utf8'));
await writeFile(file('LICENSE.txt'), (await Promise.all(licences)).join(`\n${'-'.repeat(72)}\n\n`));
