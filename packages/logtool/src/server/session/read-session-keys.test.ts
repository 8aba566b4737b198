import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../../../../test/support/connection/kubeconfig-folder.ts';
import { rejectingWithMessage } from '../../../../../test/support/with-message.ts';
import { MIN_KEY_CHARACTERS, readSessionKeys } from './read-session-keys.ts';

const KEY = 'k'.repeat(MIN_KEY_CHARACTERS);

async function read(text: string): Promise<readonly string[]> {
  const path = join(await folder(), 'keys');
  await writeFile(path, text);
  return readSessionKeys(path);
}

test('a file has one key per line, with comments and empty lines between', async () => {
  expect(await read(KEY)).toEqual([KEY]);
  expect(await read(`# today\r\n  ${KEY}1  \r\n\n${KEY}2\n`)).toEqual([`${KEY}1`, `${KEY}2`]);
});

test.each([
  ['', 'the file has no key'],
  ['# nothing\n\n', 'the file has no key'],
  [`${KEY}\nsecret-but-short`, 'key 2 has fewer than 32 characters'],
  [`${KEY}\n`.repeat(17), 'the file has 17 keys; logtool takes up to 16'],
])('keys that cannot be used are an error that quotes none: %j', async (text, why) => {
  await expect(rejectingWithMessage(read(text))).rejects.toMatchObject({ code: 'bad-session-keys', why });
  await expect(read(text)).rejects.not.toMatchObject({
    message: expect.stringContaining('secret'),
  });
});

test('names an unreadable file in its error', async () => {
  await expect(rejectingWithMessage(readSessionKeys('/nowhere/keys'))).rejects.toMatchObject({
    code: 'session-keys-unreadable',
    what: 'cannot read the session keys in /nowhere/keys',
    why: 'the system reports ENOENT',
  });
});
