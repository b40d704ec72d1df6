// The extension: starts `nisi lsp` and stops it. Everything that is known of policies is known there.

import * as vscode from 'vscode';
import { LanguageClient, State, type LanguageClientOptions, type ServerOptions } from 'vscode-languageclient/node';
import { find, type Found } from './command';

const INSTALL = 'https://docs.rs/nisi';
const RUN_EXAMPLES = 'nisi.runExamples';

let output: vscode.LogOutputChannel;
let client: LanguageClient | undefined;
// Starts and stops follow one another: each waits for the one before.
let queue: Promise<void> = Promise.resolve();

/** Called by the editor when the first policy is opened. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  output = vscode.window.createOutputChannel('nisi', { log: true });
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand('nisi.restartServer', restart),
    vscode.commands.registerCommand('nisi.showOutput', () => output.show()),
    vscode.workspace.onDidChangeConfiguration(async change => {
      if (change.affectsConfiguration('nisi.server.path')) await restart();
    }),
  );
  await restart();
}

/** Called by the editor when it ends. */
export async function deactivate(): Promise<void> {
  await inTurn(stop);
}

function inTurn(step: () => Promise<void>): Promise<void> {
  queue = queue.then(step, step);
  return queue;
}

function restart(): Promise<void> {
  return inTurn(async () => {
    await stop();
    await start();
  });
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await setRunning(false);
  // A server that has already ended cannot be stopped once more.
  await running?.dispose().catch((error: unknown) => output.warn(String(error)));
}

async function start(): Promise<void> {
  const path = vscode.workspace.getConfiguration('nisi').get<string>('server.path', 'nisi').trim() || 'nisi';
  const found = await find(path);
  if (found.kind !== 'found') {
    // The editor does not wait for an answer to the message.
    void tell(found);
    return;
  }
  output.info(`${path} is ${found.version}`);
  const server: ServerOptions = { command: path, args: ['lsp'] };
  const next = new LanguageClient('nisi', 'nisi', server, options());
  next.onDidChangeState(change => void setRunning(change.newState === State.Running));
  client = next;
  try {
    await next.start();
  } catch (error) {
    client = undefined;
    void tell({ kind: 'broken', message: `\`${path} lsp\` does not answer: ${String(error)}` });
  }
}

function options(): LanguageClientOptions {
  return {
    documentSelector: [{ language: 'nisi' }, { pattern: '**/*.nisi.md' }, { pattern: '**/*.cases.yaml' }],
    outputChannel: output,
    middleware: {
      // From the palette the command comes without an address: the policy that is being edited is meant.
      executeCommand: async (command, args, next) => {
        const open = vscode.window.activeTextEditor?.document.uri;
        if (command === RUN_EXAMPLES && args.length === 0) {
          if (!open) return vscode.window.showWarningMessage('Open a policy: its examples are run.');
          args = [client?.code2ProtocolConverter.asUri(open) ?? open.toString()];
        }
        return next(command, args);
      },
    },
  };
}

async function setRunning(running: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'nisi.running', running);
}

/** Says why there is no server, and offers the mend. */
async function tell(trouble: Exclude<Found, { kind: 'found' }>): Promise<void> {
  output.error(trouble.message);
  const settings = 'Open Settings';
  const install = 'How to Install';
  const offered = trouble.kind === 'missing' ? [settings, install] : [settings, 'Show Output'];
  const chosen = await vscode.window.showErrorMessage(trouble.message, ...offered);
  if (chosen === settings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'nisi.server.path');
  } else if (chosen === install) {
    await vscode.env.openExternal(vscode.Uri.parse(INSTALL));
  } else if (chosen) {
    output.show();
  }
}
