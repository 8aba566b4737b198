import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptAnswers } from '../completion/kept-answers.ts';
import { openCodeCache } from './code-cache.ts';
import { sessionFiles } from './session-files.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'own-file-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Each writes one file to a directory and removes old ones. */
const KEEPERS: readonly (readonly [string, (directory: string) => void])[] = [
  ['sessions', (directory) => sessionFiles(directory).write('one', Buffer.from('a session'))],
  ['completion', (directory) => keptAnswers(directory, Date.now).write(['question'], [])],
  ['code', (directory) => openCodeCache(directory, 'cli-A', 'logs').write(new Map())],
];

function oldFile(folder: string): string {
  const path = join(home, folder, 'letter.txt');
  mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  writeFileSync(path, 'of the user');
  const longAgo = Date.now() / 1000 - 30 * 86_400;
  utimesSync(path, longAgo, longAgo);
  return path;
}

it.each(KEEPERS)('cleaning up %s removes nothing through a link that others put there', (name, keep) => {
  const letter = oldFile('documents');
  mkdirSync(join(home, 'open'));
  symlinkSync(join(home, 'documents'), join(home, 'open', name));
  chmodSync(join(home, 'open'), 0o777);
  keep(join(home, 'open', name));
  expect(existsSync(letter)).toBe(true);
});

it.each(KEEPERS)('cleaning up %s removes nothing where others may write', (name, keep) => {
  const letter = oldFile(name);
  chmodSync(join(home, name), 0o777);
  keep(join(home, name));
  expect(existsSync(letter)).toBe(true);
  chmodSync(join(home, name), 0o700);
  keep(join(home, name));
  expect(existsSync(letter)).toBe(false);
});
