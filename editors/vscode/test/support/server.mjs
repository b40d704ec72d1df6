// A client of `nisi lsp` over a pipe.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StreamMessageReader, StreamMessageWriter, createMessageConnection } from 'vscode-jsonrpc/node';
import { root } from './corpus.mjs';

/** The command under test: `NISI`, or what cargo built last. */
export const nisi =
  process.env.NISI ?? join(root, 'target', 'debug', process.platform === 'win32' ? 'nisi.exe' : 'nisi');
if (!existsSync(nisi)) throw new Error(`${nisi} is not there: run \`cargo build\`, or set NISI to the command's path`);

export class Server {
  /** A server for one test: when it ends, however it ends, so does the server. */
  static async start(t) {
    const server = new Server();
    server.child = spawn(nisi, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => server.child.kill());
    server.connection = createMessageConnection(
      new StreamMessageReader(server.child.stdout),
      new StreamMessageWriter(server.child.stdin),
    );
    server.findings = new Map();
    server.connection.onNotification('textDocument/publishDiagnostics', found =>
      server.findings.set(found.uri, found.diagnostics),
    );
    server.connection.listen();
    const { capabilities } = await server.connection.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {},
    });
    server.legend = capabilities.semanticTokensProvider.legend.tokenTypes;
    await server.connection.sendNotification('initialized', {});
    return server;
  }

  /** The semantic tokens of a text, and what was found in it at once. */
  async read(text) {
    const uri = 'untitled:policy.nisi';
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'nisi', version: 1, text },
    });
    const { data } = await this.connection.sendRequest('textDocument/semanticTokens/full', { textDocument: { uri } });
    const findings = this.findings.get(uri) ?? [];
    await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    const tokens = [];
    let line = 0;
    let start = 0;
    for (let i = 0; i < data.length; i += 5) {
      line += data[i];
      start = data[i + 1] + (data[i] === 0 ? start : 0);
      tokens.push({ line, start, end: start + data[i + 2], type: this.legend[data[i + 3]] });
    }
    return { tokens, findings };
  }

  async stop() {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const [code] = await once(this.child, 'exit');
    this.connection.dispose();
    return code;
  }
}
