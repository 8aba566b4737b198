// Creates the published folder of a package in packages/: node scripts/release/pack-package.mjs NAME [FOLDER]. Default folder:
// out/packages/NAME.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { absoluteLinks } from './published.mjs';

const root = join(import.meta.dirname, '../..');
const OF_THE_REPOSITORY = ['private', 'scripts', 'devDependencies'];

if (process.argv[1] === import.meta.filename) {
  const [name, folder = join(root, 'out/packages', name ?? '')] = process.argv.slice(2);
  if (name === undefined) throw new Error('usage: node scripts/release/pack-package.mjs NAME [FOLDER]');
  stagePackage(name, resolve(folder));
  console.log(resolve(folder));
}

/**
 * Writes JavaScript with types for each source file, the README and the manifest. `src/index.ts` is the public API; the
 * packages import each other's files by path (`@logtool/kube/src/client.ts`), which leads to the compiled file.
 *
 * @param {string} name a folder of packages/
 * @param {string} folder
 */
export function stagePackage(name, folder) {
  const source = join(root, 'packages', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  compile(name, join(folder, 'dist'));
  const whole = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(packedManifest(manifest, whole, name), undefined, 2)}\n`,
  );
  const readme = readFileSync(join(source, 'README.md'), 'utf8');
  writeFileSync(join(folder, 'README.md'), absoluteLinks(readme, whole, `packages/${name}`));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/** Returns the manifest as published: without parts that only the repository needs, with the allowed imports. */
function packedManifest(manifest, { engines, homepage, repository, bugs }, name) {
  const kept = Object.entries(manifest).filter(([key]) => !OF_THE_REPOSITORY.includes(key));
  const compiled = (path) => ({ types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` });
  const hasEntry = existsSync(join(root, 'packages', name, 'src/index.ts'));
  return {
    ...Object.fromEntries(kept),
    homepage,
    repository: { ...repository, directory: `packages/${name}` },
    bugs,
    engines,
    exports: { ...(hasEntry ? { '.': compiled('index') } : {}), './src/*.ts': compiled('*') },
    files: ['dist'],
  };
}

/** Compiles each source file separately, so that all importers share the same classes. */
function compile(name, folder) {
  const source = join(root, 'packages', name, 'src');
  mkdirSync(join(root, '.cache'), { recursive: true });
  const work = mkdtempSync(join(root, '.cache/pack-'));
  try {
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        incremental: false,
        tsBuildInfoFile: null,
        declaration: true,
        allowImportingTsExtensions: false,
        rewriteRelativeImportExtensions: true,
        rootDir: join(root, 'packages'),
        outDir: join(work, 'out'),
      },
      include: [source],
      exclude: [join(source, '**/*.test.ts')],
    };
    writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(config));
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', work], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    cpSync(join(work, 'out', name, 'src'), folder, { recursive: true });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
