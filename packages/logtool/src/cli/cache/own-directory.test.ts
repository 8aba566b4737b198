import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isOwnDirectory, makeOwnDirectory } from './own-directory.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'own-directory-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function made(...segments: readonly string[]): string {
  const path = join(home, ...segments);
  makeOwnDirectory(path);
  return path;
}

it('trusts a directory that only the user can write to or replace, also by a link of the user', () => {
  const directory = made('cache', 'logtool');
  expect(isOwnDirectory(directory)).toBe(true);
  symlinkSync(join(home, 'cache'), join(home, 'link'));
  expect(isOwnDirectory(join(home, 'link', 'logtool'))).toBe(true);
  expect(() => isOwnDirectory(join(home, 'none'))).toThrow();
});

it('trusts none in a place where others may put another one, unless it keeps each to their own', () => {
  const directory = made('open', 'logtool', 'sessions');
  chmodSync(join(home, 'open'), 0o777);
  expect(isOwnDirectory(directory)).toBe(false);
  chmodSync(join(home, 'open'), 0o775);
  expect(isOwnDirectory(directory)).toBe(false);
  chmodSync(join(home, 'open'), 0o1777);
  expect(isOwnDirectory(directory)).toBe(true);
});

it('trusts no link that others can replace, wherever it leads', () => {
  made('precious');
  made('open');
  symlinkSync(join(home, 'precious'), join(home, 'open', 'sessions'));
  symlinkSync(join(home, 'open', 'sessions'), join(home, 'safe'));
  expect(isOwnDirectory(join(home, 'safe'))).toBe(true);
  chmodSync(join(home, 'open'), 0o777);
  expect(isOwnDirectory(join(home, 'open', 'sessions'))).toBe(false);
  expect(isOwnDirectory(join(home, 'safe'))).toBe(false);
});

it.runIf(process.getuid?.() === 0)('trusts nothing below what is of somebody else', () => {
  const directory = made('theirs', 'logtool');
  mkdirSync(join(directory, 'sessions'));
  chownSync(join(home, 'theirs'), 12_345, 12_345);
  expect(isOwnDirectory(directory)).toBe(false);
  chownSync(join(home, 'theirs'), 0, 0);
  chownSync(directory, 12_345, 12_345);
  expect(isOwnDirectory(join(directory, 'sessions'))).toBe(false);
});
