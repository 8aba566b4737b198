import { existsSync } from 'node:fs';
import * as nodeFiles from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, it } from 'vitest';
import { helm } from '../../../../test/support/oracles/helm.ts';
import { makeHome } from '../../test/support/home.ts';
import { repositoryFiles, startRepository } from '../../test/support/repository-server.ts';

const FILES = repositoryFiles('logtool', ['1.0.0']);

it('loses no repository when many are added at the same time', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  await Promise.all(names.map((name) => home.open().add({ name, url: server.url })));
  expect((await home.repositories.list()).map(({ name }) => name).sort()).toEqual(names);
  await Promise.all(names.slice(2).map((name) => home.open().remove(name)));
  expect((await home.repositories.list()).map(({ name }) => name).sort()).toEqual(['a', 'b']);
});

it('notices a helm that wrote while it wrote itself', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  let helmRuns = 0;
  const files = {
    ...nodeFiles,
    async writeFile(...args: Parameters<typeof nodeFiles.writeFile>) {
      await nodeFiles.writeFile(...args);
      const isNew = String(args[0]).includes('repositories.yaml-logtool-');
      if (isNew && helmRuns++ === 0) {
        await helm('4.1.4', ['repo', 'add', 'theirs', server.url], { home: home.path });
      }
    },
  };
  await home.open({ files }).add({ name: 'logtool', url: server.url });
  expect(helmRuns).toBe(2);
  expect((await home.repositories.list()).map(({ name }) => name)).toEqual(['theirs', 'logtool']);
});

it.each([
  ['of a process that is gone', { pid: 2 ** 22 + 1, host: hostname() }, 0],
  ['of another machine, after a minute', { pid: 1, host: 'elsewhere' }, 61_000],
])('takes over the lock %s', async (_whose, owner, ageMs) => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'first', url: server.url });
  const lock = `${home.config}.logtool-lock`;
  await nodeFiles.writeFile(lock, JSON.stringify(owner));
  const changed = new Date(Date.now() - ageMs);
  await nodeFiles.utimes(lock, changed, changed);
  await home.repositories.add({ name: 'logtool', url: server.url });
  expect(await nodeFiles.readdir(join(home.config, '..'))).toEqual(['repositories.yaml']);
});

it('gives up after 30 s where somebody holds the lock, and changes nothing', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'first', url: server.url });
  const lock = `${home.config}.logtool-lock`;
  await nodeFiles.writeFile(lock, JSON.stringify({ pid: process.pid, host: hostname() }));
  const before = await nodeFiles.readFile(home.config, 'utf8');
  const clock = new FakeClock(Date.now());
  const outcome = home
    .open({ clock })
    .remove('first')
    .catch((error: unknown) => error);
  let settled = false;
  void outcome.then(() => {
    settled = true;
  });
  while (!settled) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.pending > 0) await clock.advance(100);
  }
  expect(await outcome).toMatchObject({ code: 'repositories-locked' });
  expect(await nodeFiles.readFile(home.config, 'utf8')).toBe(before);
  expect(existsSync(lock)).toBe(true);
});

it('keeps a symbolic link to the file', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const target = join(home.path, 'dotfiles.yaml');
  await nodeFiles.writeFile(target, '');
  await nodeFiles.mkdir(join(home.config, '..'), { recursive: true });
  await nodeFiles.symlink(target, home.config);
  await home.repositories.add({ name: 'logtool', url: server.url });
  expect((await nodeFiles.lstat(home.config)).isSymbolicLink()).toBe(true);
  expect(await nodeFiles.readFile(target, 'utf8')).toContain('name: logtool');
});

it('does not touch a file that does not list repositories', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await nodeFiles.mkdir(join(home.config, '..'), { recursive: true });
  for (const text of ['repositories: {a: b}\n', '- a\n', 'a: [\n']) {
    await nodeFiles.writeFile(home.config, text);
    await expect(home.repositories.add({ name: 'logtool', url: server.url })).rejects.toMatchObject({
      code: 'repositories-file-invalid',
    });
    expect(await nodeFiles.readFile(home.config, 'utf8')).toBe(text);
  }
});
