import { access, chmod, cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The program under test: its command, and its folder. */
export interface BuiltCli {
  readonly command: readonly [file: string, ...args: string[]];
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/**
 * Bundles the program into a separate folder, so that these tests never run a stale dist/.
 * `LOGTOOL_TEST_PROGRAM` names another program for the same tests: the single executable, built with version
 * 1.2.3.
 */
export async function buildCli(): Promise<BuiltCli> {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-cli-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const given = process.env.LOGTOOL_TEST_PROGRAM;
  if (given !== undefined) return { command: [resolve(given)], folder, remove };
  const builds = process.env.LOGTOOL_TEST_BUILDS;
  if (builds === undefined) await bundle(folder);
  else await cp(await bundledOnce(builds), folder, { recursive: true });
  await symlink(join(ROOT, 'charts'), join(folder, 'charts'));
  await mkdir(join(folder, '.cache'));
  await symlink(join(ROOT, '.cache/threads'), join(folder, '.cache/threads'));
  await chmod(join(folder, 'cli.mjs'), 0o755);
  return { command: [process.execPath, join(folder, 'cli.mjs')], folder, remove };
}

/** Returns the folder of the bundle that all test files of a run share. */
async function bundledOnce(builds: string): Promise<string> {
  const made = join(builds, 'cli');
  if (await exists(made)) return made;
  const draft = await mkdtemp(join(builds, 'draft-'));
  await bundle(draft);
  // If another test file was faster, its bundle is the same.
  await rename(draft, made).catch(async (error) => {
    if (!(await exists(made))) throw error;
  });
  return made;
}

async function bundle(folder: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: { cli: 'packages/logtool/src/cli/main.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    define: { LOGTOOL_VERSION: '"1.2.3"' },
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
