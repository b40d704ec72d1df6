// The extension as it is packaged, in an editor that stands in for the real one, with a real `nisi lsp` behind it.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nisi } from './support/server.mjs';

const require = createRequire(import.meta.url);
const { createEditor } = require('./support/vscode.cjs');
const bundle = require.resolve('../dist/extension.js');
const folder = mkdtempSync(join(tmpdir(), 'nisi-vscode-'));
after(() => rmSync(folder, { recursive: true }));

const POLICY = `policy orders
version 1.0.0
use std.facts
table recovery, first row wins
| row  | condition | => action      |
|------|-----------|----------------|
| lost | timeout   | review desk    |
| rest | -         | review desk    |

examples recovery
| name | condition | => action | row  |
|------|-----------|-----------|------|
| lost | timeout   | review    | lost |
`;

/** Starts the extension in a new editor; when the test ends, however it ends, so does its server. */
async function start(t, settings) {
  const editor = createEditor(settings);
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? editor.api : load(name, ...rest));
  delete require.cache[bundle];
  const extension = require(bundle);
  Module._load = load;
  t.after(() => extension.deactivate());
  await extension.activate({ subscriptions: [] });
  return { editor, extension };
}

async function until(what, condition) {
  for (let i = 0; i < 400; i++) {
    const found = condition();
    if (found) return found;
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  assert.fail(`${what}: waited in vain`);
}

const open = (editor, name, language, text) => editor.open(editor.api.Uri.file(join(folder, name)), language, text);
const provider = (editor, name) => editor.providers.get(name)?.at(-1)?.provider;

test('a policy is served: findings, outline, colours, lenses, formatting, examples', async t => {
  const { editor, extension } = await start(t, { 'nisi.server.path': nisi });
  assert.equal(editor.contexts['nisi.running'], true, editor.log.join('\n'));
  const { token } = new editor.api.CancellationTokenSource();

  const broken = open(editor, 'broken.nisi', 'nisi', POLICY.replace('| timeout ', '| tmeout  '));
  const [found] = await until('findings', () => {
    const all = editor.diagnostics.get(broken.uri.toString());
    return all?.length && all;
  });
  assert.match(found.message, /tmeout/);
  assert.equal(found.range.start.line, 6);

  const document = open(editor, 'orders.nisi', 'nisi', POLICY);
  const symbols = await provider(editor, 'registerDocumentSymbolProvider').provideDocumentSymbols(document, token);
  assert.deepEqual(
    symbols.map(symbol => symbol.name),
    ['orders', 'recovery', 'recovery'],
  );
  const colours = await provider(editor, 'registerDocumentSemanticTokensProvider').provideDocumentSemanticTokens(
    document,
    token,
  );
  assert.ok(colours.data.length > 50);
  const lenses = await provider(editor, 'registerCodeLensProvider').provideCodeLenses(document, token);
  const lens = lenses.find(lens => lens.command.command === 'nisi.runExamples');
  assert.equal(lens.command.title, 'run examples');
  const edits = await provider(editor, 'registerDocumentFormattingEditProvider').provideDocumentFormattingEdits(
    document,
    {},
    token,
  );
  assert.ok(edits.length > 0);

  // Once as the lens asks for it, once as the palette does.
  for (const args of [lens.command.arguments, []]) {
    editor.messages.length = 0;
    const answer = await editor.api.commands.executeCommand('nisi.runExamples', ...args);
    assert.deepEqual(answer.failed, []);
    assert.equal(answer.asked, 1);
    await until('a word on the examples', () =>
      editor.messages.some(message => /the example holds/.test(message.text)),
    );
  }

  const page = open(editor, 'orders.nisi.md', 'markdown', `# Orders\n\n\`\`\`nisi\n${POLICY}\`\`\`\n`);
  const literate = await provider(editor, 'registerDocumentSymbolProvider').provideDocumentSymbols(page, token);
  assert.equal(literate[0].range.start.line, 3);

  await extension.deactivate();
  assert.equal(editor.contexts['nisi.running'], false);
});

test('the server is started anew on request, and when its path is changed', async t => {
  const { editor } = await start(t, { 'nisi.server.path': nisi });
  const answers = async () => {
    const document = open(editor, 'again.nisi', 'nisi', POLICY);
    const { token } = new editor.api.CancellationTokenSource();
    const symbols = await provider(editor, 'registerDocumentSymbolProvider').provideDocumentSymbols(document, token);
    editor.documents.length = 0;
    return symbols.length;
  };
  assert.equal(await answers(), 3);
  await editor.api.commands.executeCommand('nisi.restartServer');
  assert.equal(editor.contexts['nisi.running'], true);
  assert.equal(await answers(), 3);
  editor.set('nisi.server.path', join(folder, 'nowhere'));
  await until('a message', () => editor.messages.some(message => /was not found/.test(message.text)));
  assert.equal(editor.contexts['nisi.running'], false);
  editor.set('nisi.server.path', nisi);
  await until('the server', () => editor.contexts['nisi.running']);
  assert.equal(await answers(), 3);
  // Two at once: one server is left, and nobody is troubled.
  editor.messages.length = 0;
  await Promise.all([1, 2].map(() => editor.api.commands.executeCommand('nisi.restartServer')));
  assert.equal(await answers(), 3);
  assert.equal(editor.providers.get('registerDocumentSymbolProvider').length, 1);
  assert.deepEqual(editor.messages, []);
});

test('a command that is not there is told with the mend', async t => {
  const { editor } = await start(t, { 'nisi.server.path': join(folder, 'nowhere') });
  const [message] = await until('a message', () => editor.messages.length && editor.messages);
  assert.match(
    message.text,
    /`.*nowhere` was not found\. Install it with `cargo install nisi`, or .*`nisi\.server\.path`/,
  );
  assert.deepEqual(message.choices, ['Open Settings', 'How to Install']);
  assert.deepEqual([...editor.commands.keys()].sort(), ['nisi.restartServer', 'nisi.showOutput']);
  editor.choose = () => 'Open Settings';
  await editor.api.commands.executeCommand('nisi.restartServer');
  await until('the settings', () =>
    editor.executed.some(([name, what]) => /openSettings/.test(name) && what === 'nisi.server.path'),
  );
  editor.choose = () => 'How to Install';
  await editor.api.commands.executeCommand('nisi.restartServer');
  await until('the page', () => editor.opened);
});

test('a command that is something else is told', { skip: process.platform === 'win32' }, async t => {
  const other = join(folder, 'other');
  writeFileSync(other, '#!/bin/sh\necho other 1.0\n');
  chmodSync(other, 0o755);
  const { editor } = await start(t, { 'nisi.server.path': other });
  const [message] = await until('a message', () => editor.messages.length && editor.messages);
  assert.match(message.text, /says: other 1\.0\. It is not nisi/);
  chmodSync(other, 0o644);
  editor.messages.length = 0;
  await editor.api.commands.executeCommand('nisi.restartServer');
  const [second] = await until('a message', () => editor.messages.length && editor.messages);
  assert.match(second.text, /cannot be run/);
});
