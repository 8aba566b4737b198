// Runs a TypeScript program of this repository: node scripts/run/run-ts.mjs FILE [arguments]. It bundles to .cache/ first.
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { installThreads } from '../build/build-threads.mjs';
import { ownPackages } from '../release/own-packages.mjs';

const [file, ...rest] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
const outfile = join(root, '.cache/run', `${file.replaceAll(/[\\/:]/g, '_')}.${process.pid}.mjs`);
await build({
  entryPoints: [file],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  // Each file keeps its own folder.
  plugins: [
    ownPackages,
    { name: 'own-folder', setup: ({ onLoad }) => onLoad({ filter: /\.ts$/ }, withOwnFolder) },
  ],
  logLevel: 'warning',
});
await installThreads();
process.argv = [process.argv[0], file, ...rest];
process.on('exit', () => rmSync(outfile, { force: true }));
await import(pathToFileURL(outfile).href);

async function withOwnFolder({ path }) {
  const text = await readFile(path, 'utf8');
  const contents = text.replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
  return contents === text ? undefined : { contents, loader: 'ts' };
}
