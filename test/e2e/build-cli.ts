import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');

/** The program as a bundle in a folder of its own, with the charts that come with it, so that these tests never run a stale dist/. */
export async function buildCli(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-cli-'));
  await build({
    absWorkingDir: ROOT,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    define: { LOGTOOL_VERSION: '"1.2.3"' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  await symlink(join(ROOT, 'charts'), join(folder, 'charts'));
  return { path: join(folder, 'cli.mjs'), remove: () => rm(folder, { recursive: true, force: true }) };
}
