// The TextMate grammar, held to what `nisi lsp` says of each word, on every policy of the repository.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { text as written } from '../../textmate/grammar.mjs';
import { corpus } from './support/corpus.mjs';
import { Server } from './support/server.mjs';

const grammars = new Map(
  ['nisi', 'nisi-markdown'].map(name => {
    const path = new URL(`../../textmate/${name}.tmLanguage.json`, import.meta.url);
    const raw = textmate.parseRawGrammar(readFileSync(path, 'utf8'), path.pathname);
    return [raw.scopeName, raw];
  }),
);
// A page of Markdown, as far as a fence needs one.
grammars.set('text.html.markdown', {
  scopeName: 'text.html.markdown',
  patterns: [{ match: '^#.*$', name: 'markup.heading' }],
  repository: {},
});

await oniguruma.loadWASM(readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm')));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
    createOnigString: text => new oniguruma.OnigString(text),
  }),
  loadGrammar: async scope => grammars.get(scope) ?? null,
  getInjections: scope => (scope === 'text.html.markdown' ? ['markdown.nisi.codeblock'] : []),
});

/** The tokens of each line of a text. */
async function lines(scope, text) {
  const grammar = await registry.loadGrammar(scope);
  let state = textmate.INITIAL;
  return text.split(/\r?\n/).map(line => {
    const read = grammar.tokenizeLine(line, state);
    assert.ok(!read.stoppedEarly);
    state = read.ruleStack;
    return read.tokens.map(token => ({ ...token, text: line.slice(token.startIndex, token.endIndex) }));
  });
}

// The innermost scope that says something, by its beginning; the longer ones first.
const CLASSES = [
  ['comment.', 'comment'],
  ['string.', 'string'],
  ['constant.character.escape', 'string'],
  ['constant.numeric', 'number'],
  ['constant.language', 'keyword'],
  ['keyword.other', 'keyword'],
  ['keyword.control', 'keyword'],
  ['support.type.property-name', 'key'],
  ['support.type', 'type'],
  ['variable.other.property', 'property'],
  ['variable.other.enummember', 'enumMember'],
  ['variable.other', 'variable'],
  ['entity.name.type', 'class'],
  ['entity.name.function.member', 'method'],
  ['entity.name.function', 'function'],
  ['entity.name.namespace', 'namespace'],
];

function classOf(token) {
  for (const scope of [...token.scopes].reverse()) {
    const found = CLASSES.find(([begins]) => scope.startsWith(begins));
    if (found) return found[1];
    if (/^(keyword|punctuation)\./.test(scope)) return 'sign';
  }
  return 'none';
}

/** Whether a class is what the server calls the word. */
function agree(word, type, found, before) {
  if (found === type || (type === 'keyword' && found === 'key')) return true;
  // A name in quotes is coloured as a text.
  if (word.startsWith('"') && found === 'string') return true;
  // `parity.equivalent` is a fact, and in it a parity.
  return type === 'variable' && found === 'property' && before === '.';
}

const NAMES = new Set(['property', 'enumMember', 'variable', 'class', 'method', 'function', 'namespace']);

// What the server has a token for wherever it stands; not so owners, and what only the caller knows.
const WORDS = new Set(['comment', 'keyword', 'number']);

test('the grammar is the one that was put together', () => {
  const file = readFileSync(new URL('../../textmate/nisi.tmLanguage.json', import.meta.url), 'utf8');
  assert.ok(file === written, 'run `node editors/textmate/grammar.mjs`');
});

test('every word has the scope that the language server gives it', async t => {
  const server = await Server.start(t);
  const faults = [];
  let nWords = 0;
  for (const { name, text } of corpus()) {
    const { tokens, findings } = await server.read(text);
    // In a line that cannot be read nobody knows what was meant.
    if (findings.some(finding => finding.code.startsWith('N01'))) continue;
    // What a name stands for is only sure where all names are.
    const isSound = !findings.some(finding => finding.severity === 1);
    const read = await lines('source.nisi', text);
    const written = text.split(/\r?\n/);
    for (const { line, start, end, type } of tokens) {
      if (NAMES.has(type) && !isSound) continue;
      nWords += 1;
      const word = written[line].slice(start, end);
      const covering = read[line].filter(token => token.startIndex < end && start < token.endIndex);
      const found = [...new Set(covering.map(classOf))];
      if (!found.every(one => agree(word, type, one, written[line][start - 1]))) {
        faults.push(`${name}:${line + 1}:${start + 1}: \`${word}\` is a ${type}, and scoped as ${found}`);
      }
    }
    read.forEach((pieces, line) => {
      const served = token =>
        WORDS.has(classOf(token)) || (isSound && NAMES.has(classOf(token)) && classOf(token) !== 'variable');
      for (const token of pieces.filter(token => served(token) && token.text.trim() !== '')) {
        if (!tokens.some(one => one.line === line && one.start < token.endIndex && token.startIndex < one.end)) {
          faults.push(
            `${name}:${line + 1}:${token.startIndex + 1}: \`${token.text}\` is a nothing, and scoped as ${classOf(token)}`,
          );
        }
      }
    });
  }
  assert.equal(await server.stop(), 0);
  assert.ok(nWords > 15_000, `only ${nWords} words were compared`);
  assert.deepEqual(faults, []);
});

test('a fence in Markdown is nisi, and what stands outside is not', async () => {
  const page =
    '# table\n\ntable of contents\n\n```nisi team/facts.nisi\ntable t, first row wins\n| f | => action |\n| a | stop |\n```\n\ntable\n```rust\ntable\n```\n';
  const read = await lines('text.html.markdown', page);
  const classes = line => read[line].map(classOf);
  assert.deepEqual(
    read[5].filter(token => token.text.trim()).map(token => [token.text, classOf(token)]),
    [
      ['table', 'keyword'],
      ['t', 'class'],
      [',', 'sign'],
      ['first', 'keyword'],
      ['row', 'keyword'],
      ['wins', 'keyword'],
    ],
  );
  assert.ok(read[5].every(token => token.scopes.includes('meta.embedded.block.nisi')));
  assert.ok(classes(7).includes('keyword'));
  for (const line of [2, 10, 12]) assert.ok(!classes(line).includes('keyword'), `line ${line}`);
});

test('what is broken stays in its item', async () => {
  for (const broken of [
    'action a : stop "why',
    'budget {\n  attempts 3',
    'table t, first row wins\n| f | => action\n| a |',
    'rule r: never retry when x is',
    'examples t\n| name | => action | row',
  ]) {
    const read = await lines('source.nisi', `${broken}\n\nversion 1 # end\n`);
    const last = read
      .at(-2)
      .filter(token => token.text.trim())
      .map(classOf);
    assert.deepEqual(last, ['keyword', 'number', 'comment'], broken);
  }
});
