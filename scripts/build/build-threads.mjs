import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
/** Scripts that run in their own threads (packages/kube/src/thread), by name. */
const THREADS = {
  match: 'packages/logtool/src/stream/match/match-thread.ts',
  chart: 'packages/helm/src/render/chart-thread.ts',
};

/**
 * Bundles the scripts of threads, each self-contained. Their names in the package contain a hash of their content: a
 * program of an earlier build finds its own.
 */
export async function buildThreads() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: THREADS,
    outdir: 'dist/threads',
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    charset: 'ascii',
    minify: true,
    legalComments: 'inline',
    logLevel: 'warning',
    metafile: true,
  });
  const scripts = outputFiles.map(({ path, contents }) => {
    const name = Object.keys(THREADS).find((each) => path.endsWith(`${each}.js`));
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
    return { name, path: `dist/threads/${name}-${hash}.cjs`, contents };
  });
  return { scripts, metafile };
}

/** Returns the paths that the program needs to find the scripts. */
export function threadPaths(scripts) {
  return JSON.stringify(Object.fromEntries(scripts.map(({ name, path }) => [name, path])));
}

/** Puts the scripts where a program that runs from its sources finds them. */
export async function installThreads() {
  const folder = join(root, '.cache/threads');
  mkdirSync(folder, { recursive: true });
  for (const { name, contents } of (await buildThreads()).scripts) {
    const temporary = join(folder, `${name}.${process.pid}.tmp`);
    writeFileSync(temporary, contents);
    renameSync(temporary, join(folder, `${name}.cjs`));
  }
}
