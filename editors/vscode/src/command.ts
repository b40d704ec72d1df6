// Looks for the command `nisi`, and says what is wrong where it cannot be used.

import { execFile } from 'node:child_process';

/** What came of looking for the command. */
export type Found =
  { kind: 'found'; version: string } | { kind: 'missing'; message: string } | { kind: 'broken'; message: string };

const PATIENCE_MS = 10_000;

/** Asks a command for its version. */
export function find(path: string): Promise<Found> {
  return new Promise(resolve => {
    execFile(path, ['--version'], { timeout: PATIENCE_MS, windowsHide: true }, (error, stdout, stderr) => {
      const said = stdout.trim();
      if (!error && /^nisi \d/.test(said)) {
        resolve({ kind: 'found', version: said });
      } else if (error && 'code' in error && error.code === 'ENOENT') {
        const message =
          `The command \`${path}\` was not found. Install it with \`cargo install nisi\`, ` +
          'or write its whole path into the setting `nisi.server.path`.';
        resolve({ kind: 'missing', message });
      } else if (error && 'code' in error && error.code === 'EACCES') {
        const message = `\`${path}\` cannot be run. Make it executable, or change the setting \`nisi.server.path\`.`;
        resolve({ kind: 'broken', message });
      } else {
        const answer = (stderr.trim() || said || error?.message || 'nothing').split('\n')[0];
        const message = `\`${path} --version\` says: ${answer}. It is not nisi: change the setting \`nisi.server.path\`.`;
        resolve({ kind: 'broken', message });
      }
    });
  });
}
