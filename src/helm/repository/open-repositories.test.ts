import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { selfSigned } from '../../../test/tls-server/certificates.ts';
import { type Clock, FakeClock } from '../../domain/clock.ts';
import { makeHome } from './testing/home.ts';
import {
  guarded,
  type Handler,
  indexOf,
  packed,
  redirectTo,
  repositoryFiles,
  sha256,
  startRepository,
} from './testing/repository-server.ts';

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

it('leaves a repository of the same name alone, unless it is to be replaced', async () => {
  await using server = await startRepository(FILES);
  await using home = await makeHome();
  const { repositories } = home;
  await repositories.add({ name: 'logtool', url: server.url });
  const before = await readFile(home.config, 'utf8');
  const asked = server.seen.length;
  expect((await repositories.add({ name: 'logtool', url: server.url })).outcome).toBe('unchanged');
  expect(server.seen).toHaveLength(asked);
  const other = { name: 'logtool', url: server.url, ...ADA };
  await expect(repositories.add(other)).rejects.toMatchObject({
    code: 'repository-exists',
    why: expect.stringMatching(/different username, password$/),
  });
  expect(await readFile(home.config, 'utf8')).toBe(before);
  expect((await repositories.add({ ...other, force: true })).outcome).toBe('replaced');
  expect(await repositories.list()).toMatchObject([ADA]);
});

it('writes nothing down where the repository cannot be reached', async () => {
  await using server = await startRepository({});
  await using home = await makeHome();
  await expect(home.repositories.add({ name: 'logtool', url: server.url })).rejects.toMatchObject({
    code: 'repository-answer',
    why: 'the server answered 404 Not Found',
  });
  expect(await readdir(home.path)).toEqual([]);
});

describe('TLS', () => {
  const certificate = selfSigned();

  it('knows a server by the authority that the repository names, and by no other', async () => {
    await using server = await startRepository(FILES, certificate);
    await using home = await makeHome();
    const caFile = join(home.path, 'ca.pem');
    const wrong = join(home.path, 'wrong.pem');
    await writeFile(caFile, certificate.cert);
    await writeFile(wrong, selfSigned().cert);
    const request = { name: 'logtool', url: server.url };
    for (const [more, next] of [
      [{}, /--ca-file/],
      [{ caFile: wrong }, /wrong\.pem/],
    ] as const) {
      await expect(home.repositories.add({ ...request, ...more })).rejects.toMatchObject({
        code: 'repository-unreachable',
        next: expect.stringMatching(next),
      });
    }
    await home.repositories.add({ ...request, caFile });
    expect(await home.repositories.download(await home.repositories.find('logtool', 'logtool'))).toHaveLength(
      (FILES['/logtool-0.2.0.tgz'] as Uint8Array).length,
    );
  });

  it('checks nothing where that is asked for', async () => {
    await using server = await startRepository(FILES, certificate);
    await using home = await makeHome();
    await home.repositories.add({ name: 'logtool', url: server.url, insecureSkipTlsVerify: true });
    await home.repositories.update();
    expect(server.seen).toHaveLength(2);
  });

  it('refuses a file without a certificate in it', async () => {
    await using server = await startRepository(FILES, certificate);
    await using home = await makeHome();
    const caFile = join(home.path, 'ca.pem');
    await writeFile(caFile, 'nothing');
    await expect(home.repositories.add({ name: 'logtool', url: server.url, caFile })).rejects.toMatchObject({
      code: 'repository-certificates-unusable',
    });
  });
});

describe('credentials', () => {
  const BASIC = `Basic ${Buffer.from('ada:s3cret').toString('base64')}`;

  it('are shown to the repository', async () => {
    await using server = await startRepository({
      '/index.yaml': guarded(INDEX),
      '/logtool-0.2.0.tgz': guarded(FILES['/logtool-0.2.0.tgz'] as Uint8Array),
    });
    await using home = await makeHome();
    const { repositories } = home;
    await expect(repositories.add({ name: 'logtool', url: server.url })).rejects.toMatchObject({
      code: 'repository-answer',
      next: expect.stringContaining('--username'),
    });
    await repositories.add({ name: 'logtool', url: server.url, ...ADA });
    await repositories.download(await repositories.find('logtool', 'logtool'));
    expect(server.seen.map(({ authorization }) => authorization)).toEqual([undefined, BASIC, BASIC]);
  });

  it('may stand in the address, and are in no message then', async () => {
    await using server = await startRepository({ '/index.yaml': guarded(INDEX) });
    await using home = await makeHome();
    const url = server.url.replace('//', '//ada:s3cret@');
    await home.repositories.add({ name: 'logtool', url });
    expect(server.seen).toEqual([{ path: '/index.yaml', authorization: BASIC }]);
    server.files.clear();
    const error = await home.repositories.update().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'repository-answer' });
    expect(JSON.stringify(error)).not.toContain('s3cret');
  });

  it('go along with a redirect to the same origin', async () => {
    await using server = await startRepository({
      '/index.yaml': redirectTo('/deeper/index.yaml', 308),
      '/deeper/index.yaml': guarded(INDEX),
    });
    await using home = await makeHome();
    await home.repositories.add({ name: 'logtool', url: server.url, ...ADA });
    expect(server.seen).toHaveLength(2);
  });

  it('never go to another origin, and not back again from there', async () => {
    await using home = await makeHome();
    await using server = await startRepository({ '/deeper.yaml': INDEX });
    await using other = await startRepository({ '/index.yaml': redirectTo(`${server.url}/deeper.yaml`) });
    server.files.set('/index.yaml', redirectTo(`${other.url.replace('//', '//eve:x@')}/index.yaml`));
    await home.repositories.add({ name: 'logtool', url: server.url, ...ADA });
    expect(server.seen.map(({ authorization }) => authorization)).toEqual([BASIC, undefined]);
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('never go from https to http', async () => {
    await using home = await makeHome();
    await using plain = await startRepository({ '/index.yaml': INDEX });
    await using server = await startRepository(
      { '/index.yaml': redirectTo(`${plain.url}/index.yaml`) },
      selfSigned(),
    );
    const request = { name: 'logtool', url: server.url, insecureSkipTlsVerify: true, ...ADA };
    await home.repositories.add(request);
    expect(server.seen).toMatchObject([{ authorization: BASIC }]);
    expect(plain.seen).toMatchObject([{ authorization: undefined }]);
  });

  it('do not go to the server of an absolute address of a chart, nor does the query', async () => {
    await using home = await makeHome();
    await using other = await startRepository(FILES);
    const absolute = INDEX.replace('[logtool-0.2.0.tgz]', `["${other.url}/logtool-0.2.0.tgz"]`);
    await using server = await startRepository({ '/charts/index.yaml': guarded(absolute) });
    await home.repositories.add({ name: 'logtool', url: `${server.url}/charts?key=k1`, ...ADA });
    await home.repositories.download(await home.repositories.find('logtool', 'logtool'));
    expect(server.seen).toEqual([{ path: '/charts/index.yaml?key=k1', authorization: BASIC }]);
    expect(other.seen).toEqual([{ path: '/logtool-0.2.0.tgz', authorization: undefined }]);
  });

  it('do not go anywhere else, whatever pass_credentials_all says', async () => {
    await using home = await makeHome();
    await using other = await startRepository({ '/index.yaml': INDEX });
    await using server = await startRepository({ '/index.yaml': redirectTo(`${other.url}/index.yaml`) });
    await home.repositories.add({ name: 'logtool', url: server.url, ...ADA });
    const text = await readFile(home.config, 'utf8');
    await writeFile(home.config, text.replace('pass_credentials_all: false', 'pass_credentials_all: true'));
    await home.repositories.update();
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
  });
});

describe('answers', () => {
  const failing = async (handler: Handler) => {
    await using server = await startRepository({ '/index.yaml': handler });
    await using home = await makeHome();
    return await home.repositories.add({ name: 'logtool', url: server.url });
  };

  it('that stop before their end are refused', async () => {
    const cut = { code: 'repository-unreachable', why: 'the answer ended before it was complete' };
    const half = INDEX.slice(0, INDEX.length / 2);
    await expect(
      failing((_request, response) => {
        response.writeHead(200, { 'Content-Length': INDEX.length });
        response.write(half, () => response.destroy());
      }),
    ).rejects.toMatchObject(cut);
    await expect(
      failing((_request, response) => {
        response.write(half, () => response.destroy());
      }),
    ).rejects.toMatchObject(cut);
  });

  it('of more than 50 MiB are refused by their announcement, and while they come', async () => {
    const tooLarge = { code: 'repository-unreachable', why: 'it is larger than 50 MiB' };
    await expect(
      failing((_request, response) => {
        response.writeHead(200, { 'Content-Length': 50 * 1024 * 1024 + 1 });
        response.write('a');
      }),
    ).rejects.toMatchObject(tooLarge);
    let sentBytes = 0;
    await expect(
      failing((_request, response) => {
        const chunk = Buffer.alloc(1024 * 1024, '#');
        const more = () => {
          sentBytes += chunk.length;
          response.write(chunk, (error) => {
            if (!error) more();
          });
        };
        more();
      }),
    ).rejects.toMatchObject(tooLarge);
    expect(sentBytes).toBeGreaterThan(50 * 1024 * 1024);
  });

  it('of servers that send on for ever are given up', async () => {
    await expect(failing(redirectTo('/index.yaml'))).rejects.toMatchObject({
      code: 'repository-unreachable',
      why: 'it sends on more than 10 times',
    });
    await expect(failing(redirectTo('file:///etc/passwd'))).rejects.toMatchObject({
      code: 'repository-address-unsupported',
    });
  });

  it.each([
    ['before it answers', false],
    ['in the middle', true],
  ])('of a server that falls silent %s are given up after 30 s of silence', async (_when, begins) => {
    const clock = new FakeClock();
    await using home = await makeHome();
    let markAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      markAsked = resolve;
    });
    await using server = await startRepository({
      '/index.yaml': (_request, response) => {
        if (begins) response.write('apiVersion: v1\n', markAsked);
        else markAsked();
      },
    });
    const added = home.open({ clock }).add({ name: 'logtool', url: server.url });
    const outcome = added.catch((error: unknown) => error);
    await asked;
    let settled = false;
    void outcome.then(() => {
      settled = true;
    });
    // What was sent may still be on its way: then the silence begins a little later.
    while (!settled) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(1000);
    }
    expect(await outcome).toMatchObject({
      code: 'repository-unreachable',
      why: 'it sent nothing for 30 s',
    });
    expect(clock.pending).toBe(0);
  });

  it('that come in drops without an end are given up after 10 minutes', async () => {
    const fake = new FakeClock();
    let armed = 0;
    // Each drop that is heard begins the silence anew.
    const clock: Clock = {
      now: () => fake.now(),
      after(delayMs, callback) {
        if (delayMs === 30_000) armed++;
        return fake.after(delayMs, callback);
      },
    };
    await using home = await makeHome();
    let tap: ServerResponse | undefined;
    await using server = await startRepository({
      '/index.yaml': (_request, response) => {
        tap = response;
        response.flushHeaders();
      },
    });
    let settled = false;
    const outcome = home
      .open({ clock })
      .add({ name: 'logtool', url: server.url })
      .catch((error: unknown) => error)
      .finally(() => {
        settled = true;
      });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    while (armed < 2 && !settled) await turn();
    while (!settled) {
      const before = armed;
      tap?.write('#\n');
      while (armed === before && !settled) await turn();
      await fake.advance(29_000);
    }
    expect(await outcome).toMatchObject({
      code: 'repository-unreachable',
      why: 'the answer was not complete after 10 minutes',
    });
    expect(armed).toBeGreaterThan(20);
  });

  it('are not waited for once the signal is aborted', async () => {
    const controller = new AbortController();
    await using home = await makeHome();
    await using server = await startRepository({ '/index.yaml': () => controller.abort(new Error('stop')) });
    const repositories = home.open({ signal: controller.signal });
    await expect(repositories.add({ name: 'logtool', url: server.url })).rejects.toThrow('stop');
  });
});

describe('a proxy of the environment', () => {
  it('is asked for http addresses itself, and keeps its password apart from that of the repository', async () => {
    await using home = await makeHome();
    const seen: (string | undefined)[][] = [];
    await using proxy = await startRepository({
      'http://charts.example/a/index.yaml': (request, response) => {
        const { host, authorization } = request.headers;
        seen.push([host, authorization, request.headers['proxy-authorization']]);
        response.end(INDEX);
      },
    });
    const env = { HTTP_PROXY: proxy.url.replace('//', '//eve:x@') };
    await home.open({ env }).add({ name: 'logtool', url: 'http://charts.example/a', ...ADA });
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    expect(seen).toEqual([['charts.example', basic('ada:s3cret'), basic('eve:x')]]);
  });
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
    await expect(home.repositories.download(found)).rejects.toMatchObject({
      why: 'it is larger than 20 MiB',
    });
  });

  it.each([
    ['oci://registry.example/logtool:1.0.0', /OCI registry/],
    ['file:///etc/passwd', /not one of http/],
    ['logtool-0.2.0.tgz.prov', /provenance file/],
  ])('at %s are refused', async (address, why) => {
    await using server = await startRepository({
      '/index.yaml': INDEX.replace('[logtool-0.2.0.tgz]', `["${address}"]`),
    });
    await using home = await makeHome();
    await home.repositories.add({ name: 'logtool', url: server.url });
    const found = await home.repositories.find('logtool', 'logtool');
    await expect(home.repositories.download(found)).rejects.toMatchObject({
      code: 'repository-address-unsupported',
      why: expect.stringMatching(why),
    });
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
