// Builds dist/ if it is missing or a source has changed since.
import { join } from 'node:path';
import { isStale } from './publish-build.mjs';

const root = join(import.meta.dirname, '../..');
const sources = ['packages', 'scripts', 'package.json', 'package-lock.json', 'vite.config.ts'];

if (
  isStale(
    join(root, 'dist'),
    sources.map((name) => join(root, name)),
  )
) {
  console.error('building logtool');
  await import('./build.mjs');
}
