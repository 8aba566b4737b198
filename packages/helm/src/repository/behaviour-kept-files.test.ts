import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeHome } from '../../test/support/home.ts';
import { indexOf, packed, repositoryFiles, startRepository } from '../../test/support/repository-server.ts';

/* Cached files on disk, and when logtool trusts them. */
const FILES = repositoryFiles('logtool', ['0.1.0', '0.2.0']);
const INDEX = String(FILES['/index.yaml']);
const MEBIBYTE = 1024 * 1024;

it('leaves the index that was kept where the new one cannot be used', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'logtool', url: server.url });
  server.files.set('/index.yaml', 'apiVersion: v1\nentries: [\n');
  await expect(home.repositories.update()).rejects.toMatchObject({ code: 'repository-index-invalid' });
  expect(await readFile(join(home.cache, 'logtool-index.yaml'), 'utf8')).toBe(INDEX);
  expect(await home.repositories.find('logtool', 'logtool')).toMatchObject({
    metadata: { version: '0.2.0' },
  });
});

it('refuses an index of more than 50 MiB in the cache too', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'logtool', url: server.url });
  const index = join(home.cache, 'logtool-index.yaml');
  await writeFile(index, INDEX.padEnd(50 * MEBIBYTE, '\n'));
  // Its size is within the limit, but it has too many lines.
  await expect(home.repositories.find('logtool', 'logtool')).rejects.toMatchObject({
    code: 'repository-index-invalid',
  });
  await truncate(index, 50 * MEBIBYTE + 1);
  await expect(home.repositories.find('logtool', 'logtool')).rejects.toMatchObject({
    code: 'repository-file-not-readable',
    data: { path: index, why: { code: 'file-too-large', data: { limitMib: 50 } } },
  });
});

it('downloads an archive again that has grown beyond 20 MiB in the cache', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  await home.repositories.add({ name: 'logtool', url: server.url });
  const found = await home.repositories.find('logtool', 'logtool');
  const archive = await home.repositories.download(found);
  await truncate(join(home.cache, 'logtool-0.2.0.tgz'), 20 * MEBIBYTE + 1);
  expect(await home.repositories.download(found)).toEqual(archive);
  expect((await readFile(join(home.cache, 'logtool-0.2.0.tgz'))).equals(archive)).toBe(true);
});

it('keeps no archive without a digest in the index: nothing distinguishes it from another', async () => {
  await using server = await startRepository({
    ...FILES,
    '/index.yaml': INDEX.replaceAll(/digest: \w+/g, 'digest: ""'),
  });
  await using home = await makeHome();
  await home.repositories.add({ name: 'logtool', url: server.url });
  await writeFile(join(home.cache, 'logtool-0.2.0.tgz'), packed('logtool', '9.9.9'));
  const found = await home.repositories.find('logtool', 'logtool');
  for (let times = 1; times <= 2; times++) {
    expect(await home.repositories.download(found)).toEqual(
      Buffer.from(FILES['/logtool-0.2.0.tgz'] as Uint8Array),
    );
    expect(server.seen.filter(({ path }) => path.endsWith('.tgz'))).toHaveLength(times);
  }
});

it.each(['md5:d41d8cd98f00b204e9800998ecf8427e', 'abc', `${'0'.repeat(63)}g`])(
  'refuses an archive whose digest is %s',
  async (digest) => {
    const index = INDEX.replaceAll(/digest: \w+/g, `digest: "${digest}"`);
    await using server = await startRepository({ ...FILES, '/index.yaml': index });
    await using home = await makeHome();
    await home.repositories.add({ name: 'logtool', url: server.url });
    const found = await home.repositories.find('logtool', 'logtool');
    await expect(home.repositories.download(found)).rejects.toMatchObject({ code: 'chart-digest-invalid' });
    expect(server.seen.filter(({ path }) => path.endsWith('.tgz'))).toEqual([]);
  },
);

it('takes a digest in capitals, with the name of its algorithm', async () => {
  const index = INDEX.replaceAll(
    /digest: (\w+)/g,
    (_, digest: string) => `digest: "SHA256:${digest.toUpperCase()}"`,
  );
  await using server = await startRepository({ ...FILES, '/index.yaml': index });
  await using home = await makeHome();
  await home.repositories.add({ name: 'logtool', url: server.url });
  const found = await home.repositories.find('logtool', 'logtool');
  expect(await home.repositories.download(found)).toHaveLength(
    (FILES['/logtool-0.2.0.tgz'] as Uint8Array).length,
  );
});

it('keeps no archive by a name that leads out of the cache', async () => {
  await using home = await makeHome();
  const archive = packed('logtool', '1.0.0');
  await using server = await startRepository({
    '/index.yaml': indexOf('logtool', { '1.0.0': archive }),
    '/logtool-1.0.0.tgz': archive,
  });
  await home.repositories.add({ name: 'logtool', url: server.url });
  const found = await home.repositories.find('logtool', 'logtool');
  for (const metadata of [
    { ...found.metadata, name: '../escaped' },
    { ...found.metadata, version: '1.0.0/../../escaped' },
  ])
    expect(await home.repositories.download({ ...found, metadata })).toHaveLength(archive.length);
  expect((await readdir(home.path, { recursive: true })).filter((name) => /escaped|tgz/.test(name))).toEqual(
    [],
  );
});
