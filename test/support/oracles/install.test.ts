import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installOracles } from './install.ts';

let folder = '';
let runs: string[][] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-oracles-'));
  runs = [];
  await writeFile(join(folder, 'package.json'), '{}');
  await lock('first');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const lock = (text: string) => writeFile(join(folder, 'package-lock.json'), text);
const cached = async () => (await readdir(join(folder, 'cache'))).sort();

/** An npm that installs one file, and records which files existed at its call. */
const npm = async (args: readonly string[], directory: string) => {
  runs.push([...args, ...(await readdir(directory)).sort()]);
  await mkdir(join(directory, 'node_modules'));
};
const install = (by = npm) => installOracles({ source: folder, cache: join(folder, 'cache'), npm: by });

test('installs exactly what the lock file names, once', async () => {
  const directory = await install();
  expect(await install()).toBe(directory);
  expect((await readdir(directory)).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json']);
  expect(runs).toEqual([
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', 'package-lock.json', 'package.json'],
  ]);
});

test('installs again when the lock file changes, and keeps nothing of the one before', async () => {
  const before = await install();
  await lock('second');
  const after = await install();
  expect(after).not.toBe(before);
  expect(runs).toHaveLength(2);
  expect((await cached()).map((name) => join(folder, 'cache', name))).toEqual([after]);
});

test('reports why npm failed, leaves nothing half installed, and succeeds the next time', async () => {
  const failing = async () => {
    throw new Error('no network');
  };
  await expect(install(failing)).rejects.toMatchObject({
    message: expect.stringContaining('test/support/oracles/package.json'),
    cause: expect.objectContaining({ message: 'no network' }),
  });
  expect(await cached()).toEqual([]);
  expect(await readdir(await install())).toContain('node_modules');
});

test('takes what another process installed meanwhile', async () => {
  let first = '';
  const directory = await install(async (args, inside) => {
    await npm(args, inside);
    first = await install();
  });
  expect(directory).toBe(first);
  expect(await cached()).toHaveLength(1);
});
