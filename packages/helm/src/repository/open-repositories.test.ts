import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { makeHome } from '../../test/support/home.ts';
import {
  indexOf,
  packed,
  repositoryFiles,
  sha256,
  startRepository,
} from '../../test/support/repository-server.ts';

const FILES = repositoryFiles('logtool', ['0.1.0', '0.2.0', '0.3.0-rc.1']);
const INDEX = String(FILES['/index.yaml']);
const ADA = { username: 'ada', password: 's3cret' };

it('adds a repository, finds the newest stable version and loads its archive', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const { repositories } = home;
  expect(await repositories.add({ name: 'logtool', url: server.url })).toEqual({
    outcome: 'added',
    notices: [],
  });
  expect((await repositories.list()).map(({ name, url }) => ({ name, url }))).toEqual([
    { name: 'logtool', url: server.url },
  ]);
  expect((await stat(home.config)).mode & 0o777).toBe(0o600);
  expect(await readFile(join(home.cache, 'logtool-index.yaml'), 'utf8')).toBe(INDEX);
  expect(await readFile(join(home.cache, 'logtool-charts.txt'), 'utf8')).toBe('logtool\n');
  const found = await repositories.find('logtool', 'logtool');
  expect(found).toMatchObject({ repository: 'logtool', metadata: { version: '0.2.0' } });
  const archive = FILES['/logtool-0.2.0.tgz'] as Uint8Array;
  expect(sha256(await repositories.download(found))).toBe(sha256(archive));
  expect(await repositories.find('logtool', 'logtool', '~0.1')).toMatchObject({
    metadata: { version: '0.1.0' },
  });
  expect(await repositories.find('logtool', 'logtool', '>0.2.0-0')).toMatchObject({
    metadata: { version: '0.3.0-rc.1' },
  });
});

it('takes up new versions with an update only, and forgets all with a removal', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const { repositories } = home;
  await repositories.add({ name: 'logtool', url: `${server.url}/` });
  server.files.set('/index.yaml', INDEX.replace('version: 0.2.0', 'version: 1.0.0'));
  expect((await repositories.find('logtool', 'logtool')).metadata.version).toBe('0.2.0');
  expect(await repositories.update('logtool')).toEqual([
    { name: 'logtool', url: `${server.url}/`, notices: [] },
  ]);
  expect((await repositories.find('logtool', 'logtool')).metadata.version).toBe('1.0.0');
  await repositories.remove('logtool');
  expect(await repositories.list()).toEqual([]);
  expect(await readdir(home.cache)).toEqual([]);
  await expect(repositories.remove('logtool')).rejects.toMatchObject({ code: 'repository-unknown' });
  await expect(repositories.find('logtool', 'logtool')).rejects.toMatchObject({ code: 'repository-unknown' });
});

it('does not touch a repository of the same name, unless asked to replace it', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const { repositories } = home;
  await repositories.add({ name: 'logtool', url: server.url });
  const before = await readFile(home.config, 'utf8');
  const asked = server.seen.length;
  expect((await repositories.add({ name: 'logtool', url: server.url })).outcome).toBe('unchanged');
  expect(server.seen).toHaveLength(asked);
  const other = { name: 'logtool', url: server.url, ...ADA };
  await expect(repositories.add(other)).rejects.toEqual(
    helmFailed('repository-exists', {
      name: 'logtool',
      differs: { by: 'fields', fields: ['username', 'password'] },
    }),
  );
  expect(await readFile(home.config, 'utf8')).toBe(before);
  expect((await repositories.add({ ...other, force: true })).outcome).toBe('replaced');
  expect(await repositories.list()).toMatchObject([ADA]);
});

it('recognizes the address with a trailing slash, and reports differences without showing secrets', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const { repositories } = home;
  await repositories.add({ name: 'logtool', url: server.url });
  expect((await repositories.add({ name: 'logtool', url: `${server.url}/` })).outcome).toBe('unchanged');
  const secret = server.url.replace('//', '//ada:s3cret@');
  await expect(repositories.add({ name: 'logtool', url: secret })).rejects.toEqual(
    helmFailed('repository-exists', { name: 'logtool', differs: { by: 'credentials' } }),
  );
  const differs = { by: 'url', address: `${server.url}/` } as const;
  await expect(repositories.add({ name: 'logtool', url: `${server.url}/other` })).rejects.toEqual(
    helmFailed('repository-exists', { name: 'logtool', differs }),
  );
});

it('says of a web page in place of the index that it is one', async () => {
  await using server = await startRepository({ '/index.yaml': '\n<!doctype html><title>Sign in</title>' });
  await using home = await makeHome();
  await expect(home.repositories.add({ name: 'logtool', url: server.url })).rejects.toEqual(
    helmFailed('repository-web-page', { source: `${server.url}/` }),
  );
});

it('writes nothing down where the repository cannot be reached', async () => {
  await using server = await startRepository({});
  await using home = await makeHome();
  await expect(home.repositories.add({ name: 'logtool', url: server.url })).rejects.toEqual(
    helmFailed('repository-answer', {
      of: { kind: 'index', name: 'logtool' },
      address: `${server.url}/index.yaml`,
      status: 404,
      statusText: 'Not Found',
      hadCredentials: false,
    }),
  );
  expect(await readdir(home.path)).toEqual([]);
});

describe('archives', () => {
  it('are refused with another digest than that of the index', async () => {
    await using server = await startRepository({
      ...FILES,
      '/logtool-0.2.0.tgz': packed('logtool', '9.9.9'),
    });
    await using home = await makeHome();
    await home.repositories.add({ name: 'logtool', url: server.url });
    const found = await home.repositories.find('logtool', 'logtool');
    await expect(home.repositories.download(found)).rejects.toMatchObject({ code: 'chart-digest-wrong' });
    expect(await readdir(home.cache)).toEqual(['logtool-charts.txt', 'logtool-index.yaml']);
  });

  it('are read from the cache only with the digest of the index', async () => {
    await using server = await startRepository(FILES);
    await using home = await makeHome();
    await home.repositories.add({ name: 'logtool', url: server.url });
    const found = await home.repositories.find('logtool', 'logtool');
    const archive = await home.repositories.download(found);
    expect(await home.repositories.download(found)).toEqual(archive);
    expect(server.seen.filter(({ path }) => path.endsWith('.tgz'))).toHaveLength(1);
    await writeFile(join(home.cache, 'logtool-0.2.0.tgz'), packed('logtool', '9.9.9'));
    expect(sha256(await home.repositories.download(found))).toBe(found.digest);
    expect(server.seen.filter(({ path }) => path.endsWith('.tgz'))).toHaveLength(2);
    expect(sha256(await readFile(join(home.cache, 'logtool-0.2.0.tgz')))).toBe(found.digest);
  });

  it('of more than 20 MiB are refused', async () => {
    const large = Buffer.alloc(20 * 1024 * 1024 + 1);
    await using server = await startRepository({
      '/index.yaml': indexOf('logtool', { '1.0.0': large }),
      '/logtool-1.0.0.tgz': (_request, response) => {
        response.flushHeaders();
        response.end(large);
      },
    });
    await using home = await makeHome();
    await home.repositories.add({ name: 'logtool', url: server.url });
    const found = await home.repositories.find('logtool', 'logtool');
    await expect(home.repositories.download(found)).rejects.toEqual(
      helmFailed('repository-unreachable', {
        of: { kind: 'chart', name: 'logtool', version: '1.0.0' },
        address: `${server.url}/logtool-1.0.0.tgz`,
        outage: { problem: 'too-large', limitMiB: 20 },
      }),
    );
  });

  it.each([
    ['oci://registry.example/logtool:1.0.0', 'oci'],
    ['file:///etc/passwd', 'scheme'],
    ['logtool-0.2.0.tgz.prov', 'provenance'],
  ] as const)('at %s are refused', async (address, problem) => {
    await using server = await startRepository({
      '/index.yaml': INDEX.replace('[logtool-0.2.0.tgz]', `["${address}"]`),
    });
    await using home = await makeHome();
    await home.repositories.add({ name: 'logtool', url: server.url });
    const found = await home.repositories.find('logtool', 'logtool');
    await expect(home.repositories.download(found)).rejects.toEqual(
      helmFailed('repository-address-unsupported', {
        of: { kind: 'chart', name: 'logtool', version: '0.2.0' },
        problem,
      }),
    );
  });
});

it.each(['oci://registry.example/charts', 'ftp://a/b', 'charts.example', 'http:/x', ''])(
  'refuses %j as the address of a repository',
  async (url) => {
    await using home = await makeHome();
    await expect(home.repositories.add({ name: 'logtool', url })).rejects.toMatchObject({
      code: 'repository-address-unsupported',
    });
  },
);

it.each(['a/b', '../x', 'a b', '', 'a\\b', 'é'])('refuses %j as the name of a repository', async (name) => {
  await using home = await makeHome();
  await expect(home.repositories.add({ name, url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'bad-repository-name',
  });
});
