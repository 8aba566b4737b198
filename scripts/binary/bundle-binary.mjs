// Bundles the content of a single executable besides its runtime: the program, and the files of the package.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { buildThreads } from '../build/build-threads.mjs';
import { substitutes } from '../build/substitutes.mjs';
import { BUN } from './binary-targets.mjs';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.cache/binary');
const OTHER_FILES = ['scenarios/shop.yaml', 'LICENSE', 'dist/licenses.txt'];

/**
 * Bundles the program with a version and returns the input of Bun for any platform: the path of the entry, then those
 * of the thread scripts.
 */
export async function bundleBinary(version) {
  const paths = [...filesBelow('charts/logtool'), ...pageFiles(), ...OTHER_FILES];
  const sources = paths.map((path) => [path, join(root, path)]);
  // The executable contains Bun and the libraries that it links; their licenses are those of one version, and the build
  // fails without them.
  sources.push(['dist/licenses-of-bun.txt', join(root, `scripts/binary/licenses-of-bun/${BUN}.txt`)]);
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
  // Bun names its compiled files after these, beside the entry.
  const threads = Object.fromEntries(
    scripts.map((script) => [script.name, `threads/${script.name}-thread.js`]),
  );
  // The same bundler as for Node builds the program, so that modules run in the same order. Code that is loaded on
  // demand is a separate chunk, or each start would read the code of all commands.
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
    // CommonJS packages call require() for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return [join(folder, 'entry.ts'), ...scripts.map((script) => join(folder, `${script.name}-thread.cjs`))];
}

/** Lists the page files of the last build: those of earlier builds stay beside them for a day. */
function pageFiles() {
  const names = JSON.parse(readFileSync(join(root, 'dist/.files.json'), 'utf8'));
  return names
    .filter((name) => name.startsWith('ui/') && !name.endsWith('.map'))
    .map((name) => `dist/${name}`)
    .sort();
}

/** Lists paths relative to the root, with slashes on every system. */
function filesBelow(path) {
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
