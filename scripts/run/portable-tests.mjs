// Selects the tests that can run without the oracles (kubectl, helm, terminals, browsers: all for Linux).
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { build } from 'esbuild';
import { ownPackages } from '../release/own-packages.mjs';

/** Modules that only a test that starts other programs loads. */
const PROGRAMS = /^(node:)?child_process$|^@lydell\/node-pty$|^playwright/;
/** Modules that only a test that depends on the system's files, paths and sockets loads. */
const SYSTEM = /^(node:)?(fs|fs\/promises|path|os|net|tls|dns|http|https|http2|tty|stream|worker_threads)$/;

/** Returns every test beside the code, relative to the root. */
export function testsBesideCode(root) {
  return readdirSync(join(root, 'packages'), { recursive: true })
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => `packages/${path.split(sep).join('/')}`)
    .sort();
}

/**
 * Returns those of `files` that a system can run. The rule follows the imports of a test: it must start no programs and
 * use no oracle; on Windows, whose files, paths and sockets behave differently, it must not use those either.
 *
 * @param {string} root
 *
 * @param {readonly string[]} files
 *
 * @param {NodeJS.Platform} platform
 */
export async function portableTests(root, files, platform) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...files],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'out',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [ownPackages],
    loader: { '.css': 'empty' },
    logLevel: 'error',
  });
  return Object.values(metafile.outputs)
    .filter(({ entryPoint, inputs, imports }) => {
      if (entryPoint === undefined) return false;
      const packages = imports.filter(({ external }) => external).map(({ path }) => path);
      if (Object.keys(inputs).some((path) => path.startsWith('test/support/oracles/'))) return false;
      if (packages.some((name) => PROGRAMS.test(name))) return false;
      return platform !== 'win32' || !packages.some((name) => SYSTEM.test(name));
    })
    .map(({ entryPoint }) => entryPoint)
    .sort();
}
