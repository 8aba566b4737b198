// Writes the manifests of krew, Homebrew and Scoop for the last built executables: npm run build:manifests.
// node scripts/release/render-manifests.mjs [--sums out/binaries/SHA256SUMS] [--folder out/manifests]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { MANIFESTS, readSums, renderManifest } from './manifests.mjs';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    sums: { type: 'string', default: join(root, 'out/binaries/SHA256SUMS') },
    folder: { type: 'string', default: join(root, 'out/manifests') },
  },
});
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sums = readSums(readFileSync(values.sums, 'utf8'));
for (const { template, file } of MANIFESTS) {
  const text = renderManifest(readFileSync(join(root, 'packaging', template), 'utf8'), manifest, sums);
  const path = join(values.folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(relative(process.cwd(), path));
}
