import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCodeCache } from './code-cache.ts';

const PACK = new Map([
  ['a.cjs', { text: Buffer.from('exports.a = 1'), code: Buffer.from([1, 2, 3]) }],
  ['b.cjs', { text: Buffer.from(''), code: Buffer.from([]) }],
]);
let home = '';
let directory = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'code-cache-'));
  directory = join(home, 'logtool', 'code');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('returns what was written, only to the same program and command', () => {
  const cache = openCodeCache(directory, 'cli-A', 'logs');
  expect(cache.read()).toBeUndefined();
  cache.write(PACK);
  expect(cache.read()).toEqual(PACK);
  expect(openCodeCache(directory, 'cli-B', 'logs').read()).toBeUndefined();
  expect(openCodeCache(directory, 'cli-A', 'serve').read()).toBeUndefined();
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(readdirSync(directory)).toEqual(['cli-A-logs.bin']);
});

it('gives nothing of a file that was cut or altered at any byte', () => {
  const cache = openCodeCache(directory, 'cli-A', 'logs');
  cache.write(PACK);
  const path = join(directory, 'cli-A-logs.bin');
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at++) {
    writeFileSync(path, whole.subarray(0, at));
    expect(cache.read(), `cut at ${at}`).toBeUndefined();
    const altered = Buffer.from(whole);
    altered.writeUInt8((whole[at] ?? 0) ^ 0x10, at);
    writeFileSync(path, altered);
    expect(cache.read(), `altered at ${at}`).toBeUndefined();
  }
});

it('neither reads nor writes where others may write', () => {
  const cache = openCodeCache(directory, 'cli-A', 'logs');
  cache.write(PACK);
  chmodSync(directory, 0o777);
  expect(cache.read()).toBeUndefined();
  openCodeCache(directory, 'cli-B', 'logs').write(PACK);
  expect(readdirSync(directory)).toEqual(['cli-A-logs.bin']);
});

it('does without when nothing can be written', () => {
  writeFileSync(join(home, 'logtool'), 'a file');
  const cache = openCodeCache(directory, 'cli-A', 'logs');
  cache.write(PACK);
  expect(cache.read()).toBeUndefined();
  // A directory replaces the file: the cache removes its unfinished file.
  rmSync(join(home, 'logtool'));
  mkdirSync(join(directory, 'cli-A-logs.bin', 'full'), { recursive: true });
  cache.write(PACK);
  expect(readdirSync(directory)).toEqual(['cli-A-logs.bin']);
});

it('removes what another build left more than a week ago', () => {
  openCodeCache(directory, 'cli-OLD', 'logs').write(PACK);
  openCodeCache(directory, 'cli-OTHER', 'logs').write(PACK);
  const longAgo = Date.now() / 1000 - 8 * 86_400;
  utimesSync(join(directory, 'cli-OLD-logs.bin'), longAgo, longAgo);
  openCodeCache(directory, 'cli-A', 'logs').write(PACK);
  expect(readdirSync(directory).sort()).toEqual(['cli-A-logs.bin', 'cli-OTHER-logs.bin']);
});
