import * as nodeFiles from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, it } from 'vitest';
import { type Home, makeHome } from '../../test/support/home.ts';
import { repositoryFiles, startRepository } from '../../test/support/repository-server.ts';
import type { RepositoryFiles } from './atomic-file.ts';

/* What happens to the lock and to written files when another program interferes. */
const FILES = repositoryFiles('logtool', ['1.0.0']);
const OTHERS = JSON.stringify({ pid: 1, host: 'elsewhere', id: 'theirs' });
const lockOf = (home: Home) => `${home.config}.logtool-lock`;
const besides = (home: Home) => nodeFiles.readdir(join(home.config, '..'));

/** Removes a repository with the test's clock, and returns the outcome; `each` runs at every step. */
async function removing(
  home: Home,
  clock: FakeClock,
  each: () => Promise<void> | void = () => {},
  files?: RepositoryFiles,
) {
  let outcome: { readonly error: unknown } | undefined;
  void home
    .open(files === undefined ? { clock } : { clock, files })
    .remove('first')
    .then(
      () => {
        outcome = { error: undefined };
      },
      (error: unknown) => {
        outcome = { error };
      },
    );
  while (outcome === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.pending === 0) continue;
    await each();
    await clock.advance(100);
  }
  return outcome.error;
}

it('waits for a lock that is being written, and takes it over when its writer never comes to that', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'first', url: server.url });
  const before = await nodeFiles.readFile(home.config, 'utf8');
  await nodeFiles.writeFile(lockOf(home), '');
  const madeAt = (await nodeFiles.stat(lockOf(home))).mtimeMs;
  const clock = new FakeClock(madeAt);
  let waitedMs = 0;
  const error = await removing(home, clock, async () => {
    waitedMs = clock.now() - madeAt;
    expect(await nodeFiles.readFile(home.config, 'utf8')).toBe(before);
  });
  expect(error).toBeUndefined();
  expect(waitedMs).toBeGreaterThanOrEqual(2000);
  expect(waitedMs).toBeLessThan(3000);
  expect(await besides(home)).toEqual(['repositories.yaml']);
});

it('leaves the lock of somebody who took it over meanwhile', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'first', url: server.url });
  const files: RepositoryFiles = {
    ...nodeFiles,
    rename: async (from, to) => {
      await nodeFiles.rename(from, to);
      if (to === home.config) await nodeFiles.writeFile(lockOf(home), OTHERS);
    },
  };
  await home.open({ files }).remove('first');
  expect(await nodeFiles.readFile(lockOf(home), 'utf8')).toBe(OTHERS);
});

it('puts a lock back that was made between seeing a stale one and taking it away', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'first', url: server.url });
  const before = await nodeFiles.readFile(home.config, 'utf8');
  await nodeFiles.writeFile(lockOf(home), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
  let raced = 0;
  const files: RepositoryFiles = {
    ...nodeFiles,
    rename: async (from, to) => {
      if (from === lockOf(home) && raced++ === 0) await nodeFiles.writeFile(lockOf(home), OTHERS);
      await nodeFiles.rename(from, to);
    },
  };
  const error = await removing(home, new FakeClock(Date.now()), undefined, files);
  expect(error).toMatchObject({ code: 'repositories-locked' });
  expect(await nodeFiles.readFile(lockOf(home), 'utf8')).toBe(OTHERS);
  expect(await nodeFiles.readFile(home.config, 'utf8')).toBe(before);
});

it('leaves nothing beside a file that cannot be replaced, and does not change the file', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'first', url: server.url, username: 'ada', password: 's3cret' });
  const before = await nodeFiles.readFile(home.config, 'utf8');
  const files: RepositoryFiles = {
    ...nodeFiles,
    rename: (from, to) =>
      to === home.config ? Promise.reject(new Error('the disk is full')) : nodeFiles.rename(from, to),
  };
  await expect(home.open({ files }).remove('first')).rejects.toMatchObject({
    code: 'repository-file-not-writable',
    data: { path: home.config, why: 'the disk is full' },
  });
  expect(await besides(home)).toEqual(['repositories.yaml']);
  expect(await nodeFiles.readFile(home.config, 'utf8')).toBe(before);
});
