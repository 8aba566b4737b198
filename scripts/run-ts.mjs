// Runs a TypeScript program of this repository: node scripts/run-ts.mjs FILE [arguments]. Bundled to .cache/ first.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [file, ...rest] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '..');
const outfile = join(root, '.cache/run', `${file.replaceAll('/', '_')}.${process.pid}.mjs`);
await build({
  entryPoints: [file],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  define: { 'import.meta.dirname': JSON.stringify(resolve(root, file, '..')) },
  logLevel: 'warning',
});
process.argv = [process.argv[0], file, ...rest];
process.on('exit', () => rmSync(outfile, { force: true }));
await import(pathToFileURL(outfile).href);
