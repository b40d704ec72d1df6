// Each snippet, with its defaults filled in, can be read by nisi.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Server } from './support/server.mjs';

/** A snippet as it stands before anybody has typed: `${2:yes}` is `yes`, `${3|a,b|}` is `a`. */
function filled(body) {
  return body
    .join('\n')
    .replace(/\$\{\d+:([^}]*)\}/g, '$1')
    .replace(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1')
    .replace(/\$\d+/g, '');
}

test('snippets are right policies', async t => {
  const snippets = JSON.parse(readFileSync(new URL('../snippets.json', import.meta.url), 'utf8'));
  const server = await Server.start(t);
  const names = Object.keys(snippets);
  assert.ok(names.length >= 8);
  for (const name of names) {
    const { findings } = await server.read(`${filled(snippets[name].body)}\n`);
    const syntax = findings.filter(finding => finding.code.startsWith('N01'));
    assert.deepEqual(syntax, [], name);
  }
  // All together they are one policy, without an error.
  const order = ['Policy', 'Fact', 'Backoff', 'Action', 'Table', 'Rule', 'Examples'];
  const whole = order.map(name => filled(snippets[name].body)).join('\n\n');
  const { findings } = await server.read(whole);
  assert.deepEqual(
    findings.filter(finding => finding.severity === 1).map(finding => finding.message),
    [],
  );
  assert.equal(await server.stop(), 0);
});
