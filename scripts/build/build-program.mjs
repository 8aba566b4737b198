import { basename } from 'node:path';
import { build, transform } from 'esbuild';

const MODULE = /\.js$/;

/**
 * Bundles the command line: a chunk for each part that is loaded on demand, each a CommonJS script, because only those
 * can be compiled with the code cache of an earlier run (packages/logtool/src/start). The names of chunks contain a
 * hash of their content, so the entry's name identifies the whole program.
 *
 * @param {import('esbuild').BuildOptions & { write: false, metafile: true }} options
 *
 * @param {string} version
 *
 * @param {string} threads the paths by which the program finds the scripts of threads
 */
export async function buildProgram(options, version, threads) {
  const program = await build({
    ...options,
    entryPoints: { cli: 'packages/logtool/src/cli/main.ts' },
    entryNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    define: {
      LOGTOOL_VERSION: JSON.stringify(version),
      LOGTOOL_THREADS: threads,
      'import.meta.dirname': '__dirname',
    },
  });
  const outputFiles = await Promise.all(program.outputFiles.map(asScript));
  const entry = outputFiles.find(({ path }) => /^cli-[^.]+\.cjs$/.test(basename(path)));
  const start = await build({
    ...options,
    entryPoints: { start: 'packages/logtool/src/start/main.ts' },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    define: { LOGTOOL_PROGRAM: JSON.stringify(basename(entry.path)), 'import.meta.dirname': '__dirname' },
  });
  return [{ ...program, outputFiles }, start];
}

/** Converts a chunk to a script that requires the others under their new names. */
async function asScript(file) {
  if (!MODULE.test(file.path)) return file;
  const { code } = await transform(file.text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    // The loader that has the compiled code loads chunks, not import().
    supported: { 'dynamic-import': false },
    legalComments: 'inline',
  });
  const text = code.replaceAll(/\brequire\("(\.\/[^"]+)\.js"\)/g, 'require("$1.cjs")');
  const contents = Buffer.from(text);
  if (contents.some((byte) => byte > 127)) throw new Error(`${file.path} is read as ASCII, and is not`);
  return { path: file.path.replace(MODULE, '.cjs'), contents };
}
