// Bundles the command line into dist/. Runs after `npm install` (prepare) and before tests.
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { build } from 'esbuild';
import { buildUi } from './build-ui.mjs';
import { licences } from './licences.mjs';
import { placeBuild } from './place-build.mjs';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const root = new URL('..', import.meta.url).pathname;

const result = await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/main.ts', simcluster: 'src/simcluster/main.ts' },
  outdir: 'dist',
  write: false,
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
  const match = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (match) folders.add(match[1]);
}
const files = new Map(result.outputFiles.map((file) => [basename(file.path), file.contents]));
files.set('licenses.txt', await licences(root, folders));

const uiFolder = join(root, '.cache', `ui-${process.pid}`);
try {
  await buildUi(uiFolder);
  for (const entry of await readdir(uiFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(join('ui', relative(uiFolder, path)), await readFile(path));
  }
} finally {
  await rm(uiFolder, { recursive: true, force: true });
}

placeBuild(join(root, 'dist'), files, {
  entries: ['cli.js', 'simcluster.js', 'ui/index.html'],
  // What is packed holds this build alone.
  ...(['pack', 'publish'].includes(process.env.npm_command ?? '') ? { keepMs: 0 } : {}),
});
