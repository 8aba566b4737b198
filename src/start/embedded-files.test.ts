import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { embeddedFiles } from './embedded-files.ts';

const FILES = JSON.stringify({
  'charts/logtool/Chart.yaml': Buffer.from('name: logtool\n').toString('base64'),
  'dist/ui/a.bin': Buffer.from([0, 255, 128]).toString('base64'),
});
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'embedded-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('lays files out once, for this run and later ones', () => {
  const read = vi.fn(() => FILES);
  const directory = join(home, 'logtool', 'package', 'abc');
  const find = embeddedFiles(read, directory);
  expect(find('charts/logtool')).toBe(join(directory, 'charts/logtool'));
  expect(readFileSync(find('dist/ui/a.bin') ?? '')).toEqual(Buffer.from([0, 255, 128]));
  expect(find('charts/none')).toBeUndefined();
  expect(embeddedFiles(read, directory)('charts/logtool/Chart.yaml')).toBeDefined();
  expect(read).toHaveBeenCalledTimes(1);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(home, 'logtool', 'package'))).toEqual(['abc']);
});

it('takes what another run laid out meanwhile', () => {
  const directory = join(home, 'abc');
  const find = embeddedFiles(() => {
    embeddedFiles(() => FILES, directory)('charts');
    return FILES;
  }, directory);
  expect(find('charts/logtool')).toBe(join(directory, 'charts/logtool'));
  expect(readdirSync(home)).toEqual(['abc']);
});

it('lays them out for this run alone where nothing can be kept, or where others may write', () => {
  writeFileSync(join(home, 'file'), '');
  const foreign = join(home, 'foreign');
  mkdirSync(join(foreign, 'charts'), { recursive: true });
  chmodSync(foreign, 0o777);
  for (const directory of [undefined, join(home, 'file', 'abc'), join(foreign, 'abc'), foreign]) {
    const listeners = process.listeners('exit');
    const path = embeddedFiles(() => FILES, directory)('charts/logtool') ?? '';
    expect(path.startsWith(home)).toBe(false);
    expect(existsSync(join(path, 'Chart.yaml'))).toBe(true);
    const end = process.listeners('exit').find((listener) => !listeners.includes(listener));
    end?.(0);
    expect(existsSync(path)).toBe(false);
    if (end !== undefined) process.off('exit', end);
  }
});
