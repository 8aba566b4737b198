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
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rejectingWithMessage } from '../../../../test/support/with-message.ts';
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
  const read = () => FILES;
  const directory = join(home, 'logtool', 'package', 'abc');
  const find = embeddedFiles(read, directory);
  expect(find('charts/logtool')).toBe(join(directory, 'charts/logtool'));
  expect(readFileSync(find('dist/ui/a.bin') ?? '')).toEqual(Buffer.from([0, 255, 128]));
  expect(find('charts/none')).toBeUndefined();
  const { ino } = statSync(join(directory, 'dist/ui/a.bin'));
  expect(embeddedFiles(read, directory)('charts/logtool/Chart.yaml')).toBeDefined();
  expect(statSync(join(directory, 'dist/ui/a.bin')).ino).toBe(ino);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(home, 'logtool', 'package'))).toEqual(['abc']);
});

it('unpacks again what was removed or cut since', () => {
  const directory = join(home, 'abc');
  embeddedFiles(() => FILES, directory)('charts');
  rmSync(join(directory, 'charts'), { recursive: true });
  writeFileSync(join(directory, 'dist/ui/a.bin'), '');
  const find = embeddedFiles(() => FILES, directory);
  expect(readFileSync(find('charts/logtool/Chart.yaml') ?? '', 'utf8')).toBe('name: logtool\n');
  expect(readFileSync(find('dist/ui/a.bin') ?? '')).toHaveLength(3);
  expect(readdirSync(join(directory, 'dist/ui'))).toEqual(['a.bin']);
});

it('names the variables that point to a missing path', async () => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = join(home, 'none');
  try {
    const find = async () => embeddedFiles(() => FILES, undefined)('charts');
    await expect(rejectingWithMessage(find())).rejects.toMatchObject({
      code: 'no-room-for-files',
      next: expect.stringContaining('TMPDIR='),
    });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
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

it('unpacks them only for this run if nothing can be kept, or if others may write', () => {
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
