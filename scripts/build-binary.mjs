// Makes a self-contained executable of the command line: npm run build:binary [-- --target bun-darwin-arm64 --outfile FILE].
// Bun compiles it: the whole program starts in a third of the time that Node takes to start with nothing to do.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { BUN, findBun } from './find-bun.mjs';

const root = new URL('..', import.meta.url).pathname;
const folder = join(root, '.cache/binary');
const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    outfile: { type: 'string', default: join(root, 'out/logtool') },
    // Tests that look for a version use one of their own.
    version: { type: 'string' },
  },
});

const version = values.version ?? JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
const sources = ['charts/logtool', 'dist/ui', 'scenarios/shop.yaml', 'LICENSE', 'dist/licenses.txt']
  .flatMap((path) => filesBelow(join(root, path)))
  .filter((path) => !path.endsWith('.map'))
  .map((path) => [relative(root, path), path]);
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

startBinary(files, ${JSON.stringify(name)});
`,
);
// The same bundler as for Node makes the program: the order in which modules run is then the same. What is loaded when
// it is asked for is a part of its own, or each start would read the code of all commands.
await build({
  ...{ absWorkingDir: root, entryPoints: { program: 'src/start/start-binary.ts' }, outdir: folder },
  ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20.19', minify: true },
  logLevel: 'warning',
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  define: { LOGTOOL_VERSION: JSON.stringify(version) },
  // Packages in CommonJS form call require() for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
run(findBun(), [
  ...['build', '--compile', '--minify', '--bytecode', '--splitting', '--format=esm'],
  // Most commands end before compiled code pays for its compilation; a long one reaches it soon all the same.
  '--compile-jit-policy=30',
  // A program for all folders heeds no .env or bunfig.toml of the one that it is started in.
  ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
  ...(values.target === undefined ? [] : [`--target=${values.target}`]),
  ...[`--outfile=${values.outfile}`, join(folder, 'entry.ts')],
]);
console.log(`${values.outfile}, ${(statSync(values.outfile).size / 1e6).toFixed(0)} MB`);

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', cwd: root, ...options });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed`, { cause: error });
}
