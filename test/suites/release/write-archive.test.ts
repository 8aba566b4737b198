import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeTarGz, writeZip } from '../../../scripts/release/write-archive.mjs';

const run = promisify(execFile);
const FILES = [
  { name: 'logtool', mode: 0o755, contents: Buffer.from('program '.repeat(1000)) },
  { name: 'LICENSE', mode: 0o644, contents: Buffer.from('license') },
  { name: 'full-block', mode: 0o644, contents: Buffer.alloc(512, 'x') },
  { name: 'empty', mode: 0o600, contents: Buffer.alloc(0) },
];
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logtool-archive-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('tar unpacks the tar archive with contents, modes and nothing else', async () => {
  await writeFile(join(folder, 'a.tar.gz'), writeTarGz(FILES));
  const { stdout, stderr } = await run('tar', ['-xvzf', 'a.tar.gz'], { cwd: folder });
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual(FILES.map(({ name }) => name));
  for (const { name, mode, contents } of FILES) {
    expect(await readFile(join(folder, name))).toEqual(contents);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(mode);
  }
});

test('the zip archive holds the same contents', () => {
  const unpacked = unzipSync(writeZip(FILES));
  expect(Object.keys(unpacked)).toEqual(FILES.map(({ name }) => name));
  for (const { name, contents } of FILES) expect(Buffer.from(unpacked[name]!)).toEqual(contents);
});

test('the same files give the same bytes, whatever the time', () => {
  expect(writeTarGz(FILES)).toEqual(writeTarGz(FILES.map((file) => ({ ...file }))));
  const [tar, zip] = [writeTarGz(FILES), writeZip(FILES)];
  // The time fields of a gzip header, and of the first header in a zip file: 1 January 1980, midnight.
  expect(tar.readUInt32LE(4)).toBe(0);
  expect(zip.readUInt32LE(10)).toBe(0x00210000);
});

test('a name that no header has room for is an error', () => {
  expect(() => writeTarGz([{ name: 'a'.repeat(101), mode: 0o644, contents: Buffer.alloc(0) }])).toThrow(
    'too long',
  );
});
