import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isStale, publishBuild } from '../../../scripts/build/publish-build.mjs';

const HOUR_MS = 3_600_000;
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-build-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Bundles a program that reports its start, and loads a chunk on request. */
async function bundle(text: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const source = join(folder, 'source');
  await rm(source, { recursive: true, force: true });
  await mkdir(source);
  await writeFile(join(source, 'late.js'), `export const word = ${JSON.stringify(text)};`);
  await writeFile(
    join(source, 'main.js'),
    `process.stdin.once('data', async () => console.log((await import('./late.js')).word)); console.log('up');`,
  );
  const { outputFiles } = await build({
    absWorkingDir: source,
    entryPoints: ['main.js'],
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return new Map([
    ...outputFiles.map((file) => [basename(file.path), file.contents] as const),
    ['package.json', Buffer.from('{"type":"module"}')],
  ]);
}

test('a program that runs from a build loads its later chunks although another build came after', async () => {
  const dist = join(folder, 'dist');
  publishBuild(dist, await bundle('first'), { entries: ['main.js'] });
  const program = spawn(process.execPath, [join(dist, 'main.js')]);
  const output: Buffer[] = [];
  program.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  await once(program.stdout, 'data');
  publishBuild(dist, await bundle('second'), { entries: ['main.js'] });
  program.stdin.end('go');
  await once(program, 'close');
  expect(Buffer.concat(output).toString()).toBe('up\nfirst\n');
});

test('a file that was superseded goes when its time is over, counted from then, and not before', async () => {
  const names = () => readdir(folder);
  const files = (...all: string[]) => new Map(all.map((name) => [name, Buffer.from(name)]));
  const at = (hour: number) => ({
    entries: ['main.js'],
    keepMs: 24 * HOUR_MS,
    nowMs: Date.now() + hour * HOUR_MS,
  });
  publishBuild(folder, files('main.js', 'chunk-a.js'), at(0));
  // Built long ago, and in use until this moment.
  publishBuild(folder, files('main.js', 'chunk-b.js'), at(100));
  expect(await names()).toContain('chunk-a.js');
  publishBuild(folder, files('main.js', 'chunk-b.js', 'chunk-c.js'), at(123));
  expect(await names()).toContain('chunk-a.js');
  publishBuild(folder, files('main.js', 'chunk-b.js'), at(125));
  expect((await names()).sort()).toEqual(['.files.json', 'chunk-b.js', 'chunk-c.js', 'main.js']);
});

test('a build for packing leaves nothing of earlier ones', async () => {
  const files = (name: string) =>
    new Map([
      ['main.js', Buffer.from('')],
      [name, Buffer.from(name)],
    ]);
  publishBuild(folder, files('chunk-a.js'), { entries: ['main.js'] });
  publishBuild(folder, files('chunk-b.js'), { entries: ['main.js'], keepMs: 0 });
  expect((await readdir(folder)).sort()).toEqual(['.files.json', 'chunk-b.js', 'main.js']);
});

test('a build is stale when there is none, and when a source is added, changed or removed after it', async () => {
  const dist = join(folder, 'dist');
  const source = join(folder, 'source');
  const lock = join(folder, 'lock.json');
  const file = join(source, 'below/main.ts');
  await mkdir(join(source, 'below'), { recursive: true });
  await writeFile(file, '');
  await writeFile(lock, '');
  const stale = () => isStale(dist, [source, lock]);
  expect(stale()).toBe(true);
  publishBuild(dist, new Map([['main.js', '']]), { entries: ['main.js'] });
  // The file system's clock may be too coarse to distinguish files made at almost the same time.
  const at = (path: string, hour: number) => utimes(path, new Date(hour * HOUR_MS), new Date(hour * HOUR_MS));
  const settle = async () => {
    for (const path of [source, join(source, 'below'), file, lock]) await at(path, 1);
    await at(join(dist, '.files.json'), 2);
  };
  await settle();
  expect(stale()).toBe(false);
  for (const path of [file, lock]) {
    await at(path, 3);
    expect(stale()).toBe(true);
    await settle();
  }
  await writeFile(join(source, 'below/late.ts'), '');
  expect(stale()).toBe(true);
  await settle();
  await rm(join(source, 'below/late.ts'));
  expect(stale()).toBe(true);
});
