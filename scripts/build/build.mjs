// Bundles the command line and the dashboard's page into dist/.
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { buildProgram } from './build-program.mjs';
import { buildThreads, threadPaths } from './build-threads.mjs';
import { buildUi } from './build-ui.mjs';
import { licenses } from './licenses.mjs';
import { publishBuild } from './publish-build.mjs';
import { substitutes } from './substitutes.mjs';

const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
const root = join(import.meta.dirname, '../..');

const node = {
  absWorkingDir: root,
  outdir: 'dist',
  write: false,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minify: true,
  keepNames: false,
  sourcesContent: false,
  legalComments: 'linked',
  ...substitutes,
  metafile: true,
  logLevel: 'warning',
};
const threads = await buildThreads();
const results = await buildProgram(node, version, threadPaths(threads.scripts));
const folders = new Set();
for (const input of [...results, threads].flatMap(({ metafile }) => Object.keys(metafile.inputs))) {
  const match = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (match) folders.add(match[1]);
}
const files = new Map(
  results.flatMap(({ outputFiles }) => outputFiles).map((file) => [basename(file.path), file.contents]),
);
for (const { path, contents } of threads.scripts) files.set(path.replace('dist/', ''), contents);
files.set('licenses.txt', await licenses(root, folders));

const uiFolder = join(root, '.cache', `ui-${process.pid}`);
try {
  await buildUi(uiFolder);
  for (const entry of await readdir(uiFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(join('ui', relative(uiFolder, path)).split(sep).join('/'), await readFile(path));
  }
} finally {
  await rm(uiFolder, { recursive: true, force: true });
}

publishBuild(join(root, 'dist'), files, {
  entries: ['start.cjs', 'ui/index.html'],
  // The package contains only this build.
  ...(['pack', 'publish'].includes(process.env.npm_command ?? '') ? { keepMs: 0 } : {}),
});
