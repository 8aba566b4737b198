// Bundles the command line into dist/. Runs after `npm install` (prepare) and before tests.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { buildUi } from './build-ui.mjs';
import { licences } from './licences.mjs';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const root = new URL('..', import.meta.url).pathname;

await rm(`${root}dist`, { recursive: true, force: true });
const result = await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/main.ts', simcluster: 'src/simcluster/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  keepNames: false,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'linked',
  // Its Node entry is CommonJS, whose names a dynamic import of a bundle cannot see.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  metafile: true,
  define: { LOGTOOL_VERSION: JSON.stringify(version) },
  // Packages in CommonJS form call require() for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const folders = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const match = /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (match) folders.add(match[1]);
}
await writeFile(`${root}dist/licenses.txt`, await licences(root, folders));
await buildUi(`${root}dist/ui`);
