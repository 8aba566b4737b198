import * as files from 'node:fs/promises';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeConfigFile } from '@logtool/logtool/src/cli/config-file/write.ts';
import { expect, test } from 'vitest';

test('a folder that exists and takes no folder is an error, and not tried forever', async () => {
  // Like /proc: the folder exists, but mkdir below it reports ENOENT.
  let calls = 0;
  const strange = {
    ...files,
    async mkdir(path: unknown): Promise<undefined> {
      if (++calls > 100) throw new Error('tried for ever');
      const code = path === '/strange' ? 'EEXIST' : 'ENOENT';
      throw Object.assign(new Error(`${code}: mkdir ${String(path)}`), { code, syscall: 'mkdir' });
    },
  } as unknown as typeof files;
  const written = writeConfigFile(strange, '/strange/a/b/config.yaml', 'version: 1\n', { force: false });
  await expect(written).rejects.toMatchObject({ code: 'config-not-writable' });
  expect(calls).toBeLessThan(10);
});

test('missing folders above the file are made', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-config-'));
  try {
    const path = join(folder, 'a/b/c/config.yaml');
    await writeConfigFile(files, path, 'version: 1\n', { force: false });
    expect(await readFile(path, 'utf8')).toBe('version: 1\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
});
