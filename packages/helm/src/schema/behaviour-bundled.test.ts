import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('makes validators of every draft from the bundle too, where modules keep no names but the default', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'logtool-bundle-'));
  try {
    await build({
      entryPoints: [join(import.meta.dirname, 'compile-schema.ts')],
      outdir: directory,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'error',
    });
    const { compileSchema } = (await import(
      /* @vite-ignore */ pathToFileURL(join(directory, 'compile-schema.mjs')).href
    )) as typeof import('./compile-schema.ts');
    for (const draft of ['draft-04/', 'draft-07/', 'draft/2019-09/', 'draft/2020-12/']) {
      const $schema = `https://json-schema.org/${draft}schema`;
      const validate = await compileSchema(JSON.stringify({ $schema, properties: { a: { pattern: '^x' } } }));
      expect([validate({ a: 'xy' }), validate({ a: 'y' })], draft).toEqual([true, false]);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
