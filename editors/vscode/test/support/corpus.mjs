// Every policy of the repository, as text: files, and the fences of Markdown pages.

import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join, relative } from 'node:path';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}

function fences(name, page) {
  const found = [];
  let fence;
  page.split(/(?<=\n)/).forEach((line, i) => {
    const shown = line.trimEnd();
    if (fence && shown === '```') {
      found.push(fence);
      fence = undefined;
    } else if (fence) {
      fence.text += line;
    } else if (/^```nisi(?: |$)/.test(shown)) {
      fence = { name: `${name}:${i + 1}`, text: '' };
    }
  });
  return found;
}

/** Name and text of each, sorted by name; what is no UTF-8 is no text for an editor. */
export function corpus() {
  const folders = ['tests/cases', 'policies', 'docs', 'src/diag/pages'].flatMap(folder => walk(join(root, folder)));
  const paths = [...folders, join(root, 'src/cli/template.nisi'), join(root, 'README.md')];
  const texts = paths.flatMap(path => {
    if (!/\.(nisi|md)$/.test(path)) return [];
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) return [];
    // An editor takes the byte order mark off.
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    const name = relative(root, path);
    return path.endsWith('.nisi') ? [{ name, text }] : fences(name, text);
  });
  return texts.sort((a, b) => (a.name < b.name ? -1 : 1));
}
