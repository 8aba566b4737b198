// Bundles the command line into dist/. Runs after `npm install` (prepare) and before tests.
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

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
await writeFile(`${root}dist/licenses.txt`, await licences(result.metafile));

/** The licence texts of the packages inside the bundle, as their licences ask. */
async function licences(metafile) {
  const packages = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.add(match[1]);
  }
  const parts = [];
  for (const folder of [...packages].sort()) {
    const manifest = JSON.parse(await readFile(`${root}${folder}/package.json`, 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'license'].find((name) =>
      existsSync(`${root}${folder}/${name}`),
    );
    const text = file === undefined ? '' : await readFile(`${root}${folder}/${file}`, 'utf8');
    parts.push(`${manifest.name} ${manifest.version} (${manifest.license})\n\n${text.trim()}\n`);
  }
  return parts.join('\n----\n\n');
}
