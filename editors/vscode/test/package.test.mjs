// What is packaged, and that it is whole.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { text } from 'node:stream/consumers';
import yauzl from 'yauzl';

const vsix = fileURLToPath(new URL('../nisi.vsix', import.meta.url));

/** The files of the package, by their paths in the extension's folder. */
async function unpack() {
  const zip = await promisify(yauzl.open)(vsix, { lazyEntries: false, autoClose: false });
  const entries = [];
  zip.on('entry', entry => entries.push(entry));
  await new Promise((resolve, reject) => zip.on('end', resolve).on('error', reject));
  const read = promisify(zip.openReadStream.bind(zip));
  const files = new Map();
  for (const entry of entries) files.set(entry.fileName.replace(/^extension\//, ''), await text(await read(entry)));
  zip.close();
  return files;
}

test('the package holds what is needed, and nothing else', async () => {
  assert.ok(existsSync(vsix), 'nisi.vsix is not there: `npm run package`');
  const files = await unpack();
  assert.deepEqual([...files.keys()].sort(), [
    'LICENSE.txt',
    '[Content_Types].xml',
    'dist/extension.js',
    'dist/nisi-markdown.tmLanguage.json',
    'dist/nisi.tmLanguage.json',
    'extension.vsixmanifest',
    'language-configuration.json',
    'package.json',
    'readme.md',
    'snippets.json',
  ]);
  assert.match(files.get('LICENSE.txt'), /MIT License[^]*Apache License/);
  assert.match(
    files.get('extension.vsixmanifest'),
    /Identity Language="en-US" Id="nisi" Version="0\.1\.0" Publisher="nisi"/,
  );
  for (const grammar of ['nisi', 'nisi-markdown']) {
    const source = readFileSync(new URL(`../../textmate/${grammar}.tmLanguage.json`, import.meta.url), 'utf8');
    assert.equal(files.get(`dist/${grammar}.tmLanguage.json`), source, `${grammar}: packaged from an older build`);
  }
});

test('the manifest names files that are there, and says what the extension does', async () => {
  const files = await unpack();
  const manifest = JSON.parse(files.get('package.json'));
  const { languages, grammars, snippets, commands, configuration } = manifest.contributes;
  const named = [
    manifest.main,
    languages[0].configuration,
    ...grammars.map(one => one.path),
    ...snippets.map(one => one.path),
  ];
  for (const path of named) assert.ok(files.has(path.replace('./', '')), path);
  for (const grammar of grammars)
    assert.equal(JSON.parse(files.get(grammar.path.slice(2))).scopeName, grammar.scopeName);

  const source = readFileSync(new URL('../src/extension.ts', import.meta.url), 'utf8');
  for (const { command } of commands) assert.ok(source.includes(`'${command}'`), `nothing registers ${command}`);
  for (const setting of Object.keys(configuration.properties))
    assert.ok(files.get('readme.md').includes(setting), setting);

  // A word is a name or a number, as the language has them.
  const rules = JSON.parse(files.get('language-configuration.json'));
  const words = '| look-up | evaluation.groundedness | 1m30s | a->b | 2..5'.match(new RegExp(rules.wordPattern, 'g'));
  assert.deepEqual(words, ['look-up', 'evaluation.groundedness', '1m30s', 'a', 'b', '2', '5']);
});

test('the version is that of the crate', () => {
  const crate = /^version = "(.*)"$/m.exec(readFileSync(new URL('../../../Cargo.toml', import.meta.url), 'utf8'))[1];
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  assert.equal(version, crate);
});
