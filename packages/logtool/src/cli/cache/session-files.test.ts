import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeSessions, sessionFiles } from './session-files.ts';

const SESSION = Buffer.from('a session');
let home = '';
let directory = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'session-files-'));
  directory = join(home, 'logtool', 'sessions');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('returns what was kept, only to the user', () => {
  const files = sessionFiles(directory);
  expect(files.read('one')).toBeUndefined();
  files.write('one', SESSION);
  expect(files.read('one')).toEqual(SESSION);
  expect(files.read('two')).toBeUndefined();
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, 'one')).mode & 0o777).toBe(0o600);
});

it('neither reads nor writes where others may write', () => {
  const files = sessionFiles(directory);
  files.write('one', SESSION);
  chmodSync(directory, 0o777);
  expect(files.read('one')).toBeUndefined();
  files.write('two', SESSION);
  expect(readdirSync(directory)).toEqual(['one']);
});

it('does without when nothing can be written, and reads no file larger than a session', () => {
  writeFileSync(join(home, 'logtool'), 'a file');
  sessionFiles(directory).write('one', SESSION);
  expect(sessionFiles(directory).read('one')).toBeUndefined();
  rmSync(join(home, 'logtool'));
  sessionFiles(directory).write('one', Buffer.alloc(64 * 1024 + 1));
  expect(sessionFiles(directory).read('one')).toBeUndefined();
});

it('removes what is older than a day', () => {
  const files = sessionFiles(directory);
  files.write('old', SESSION);
  const longAgo = Date.now() / 1000 - 86_401;
  utimesSync(join(directory, 'old'), longAgo, longAgo);
  files.write('new', SESSION);
  expect(readdirSync(directory)).toEqual(['new']);
});

it('removes all that were kept, with their directory, and nothing where others may write', () => {
  sessionFiles(directory).write('one', SESSION);
  removeSessions(directory);
  removeSessions(directory);
  expect(readdirSync(join(home, 'logtool'))).toEqual([]);
  sessionFiles(directory).write('one', SESSION);
  chmodSync(directory, 0o777);
  removeSessions(directory);
  expect(readdirSync(directory)).toEqual(['one']);
});
