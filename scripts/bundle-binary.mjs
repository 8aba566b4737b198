// Makes what a single executable carries beside its runtime: the program, and the files of the package.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { BUN } from './binary-targets.mjs';
import { buildThreads } from './build-threads.mjs';
import { substitutes } from './substitutes.mjs';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.cache/binary');
const OTHER_FILES = ['scenarios/shop.yaml', 'LICENSE', 'dist/licenses.txt'];

/**
 * Bundles the program under a version and returns what Bun compiles for any platform: the path of its entry, then those of
 * the scripts of its threads.
 */
export async function bundleBinary(version) {
  const paths = [...filesBelow('charts/logtool'), ...pageFiles(), ...OTHER_FILES];
  const sources = paths.map((path) => [path, join(root, path)]);
  // The file holds Bun and what that links; their licences are those of one version, and the build fails without them.
  sources.push(['dist/licenses-of-bun.txt', join(root, `scripts/licences-of-bun/${BUN}.txt`)]);
  const files = JSON.stringify(
    Object.fromEntries(sources.map(([path, source]) => [path, readFileSync(source).toString('base64')])),
  );
  const name = createHash('sha256').update(files).digest('hex').slice(0, 16);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package-files.json'), files);
  writeFileSync(
    join(folder, 'entry.ts'),
    `import files from './package-files.json' with { type: 'file' };
import { startBinary } from './program.js';

startBinary(files, ${JSON.stringify(name)}, import.meta.dirname);
`,
  );
  const { scripts } = await buildThreads();
  for (const script of scripts) writeFileSync(join(folder, `${script.name}-thread.cjs`), script.contents);
  // Bun names what it compiles after it, beside the entry.
  const threads = Object.fromEntries(
    scripts.map((script) => [script.name, `threads/${script.name}-thread.js`]),
  );
  // The same bundler as for Node makes the program: the order in which modules run is then the same. What is loaded when
  // it is asked for is a part of its own, or each start would read the code of all commands.
  await build({
    absWorkingDir: root,
    entryPoints: { program: 'packages/logtool/src/start/start-binary.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    logLevel: 'warning',
    ...substitutes,
    define: { LOGTOOL_VERSION: JSON.stringify(version), LOGTOOL_THREADS: JSON.stringify(threads) },
    // Packages in CommonJS form call require() for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return [join(folder, 'entry.ts'), ...scripts.map((script) => join(folder, `${script.name}-thread.cjs`))];
}

/** The page of the last build: those of earlier builds lie beside it for a day. */
function pageFiles() {
  const names = JSON.parse(readFileSync(join(root, 'dist/.files.json'), 'utf8'));
  return names
    .filter((name) => name.startsWith('ui/') && !name.endsWith('.map'))
    .map((name) => `dist/${name}`)
    .sort();
}

/** Paths relative to the root, with slashes on every system. */
function filesBelow(path) {
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
