// Collects the files of a release in out/release, with one SHA256SUMS for all of them. Build each of them first:
// .github/workflows/release.yml shows how.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseFiles } from './release-files.mjs';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'out/release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const lines = releaseFiles(version).map(({ from, name }) => {
  copyFileSync(join(root, 'out', from), join(folder, name));
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex');
  return `${sum}  ${name}\n`;
});
writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
console.log(`${lines.length} files and SHA256SUMS in out/release`);
