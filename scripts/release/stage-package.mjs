// Creates the published folder: node scripts/release/stage-package.mjs [FOLDER]. Default folder: out/package. Build first.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { absoluteLinks, publishedManifest } from './published.mjs';

const root = join(import.meta.dirname, '../..');
const folder = resolve(process.argv[2] ?? join(root, 'out/package'));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(folder, { recursive: true, force: true });
for (const path of manifest.files.filter((entry) => !entry.startsWith('!')).flatMap(filesOf)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(join(root, path), join(folder, path), { recursive: true });
}
write('package.json', `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`);
write('README.md', absoluteLinks(readFileSync(join(root, 'README.md'), 'utf8'), manifest));
console.log(folder);

/** dist/ may contain files of earlier builds, for programs that still run; its list names those of the last build. */
function filesOf(entry) {
  if (entry !== 'dist') return [entry];
  return JSON.parse(readFileSync(join(root, 'dist/.files.json'), 'utf8')).map((name) => join('dist', name));
}

function write(name, text) {
  writeFileSync(join(folder, name), text);
}
