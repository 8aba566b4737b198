import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { selfSigned } from '../../../../test/support/tls-server/certificates.ts';
import { makeHome } from '../../test/support/home.ts';
import {
  guarded,
  type Handler,
  redirectTo,
  repositoryFiles,
  startRepository,
} from '../../test/support/repository-server.ts';

const FILES = repositoryFiles('logtool', ['0.1.0', '0.2.0', '0.3.0-rc.1']);
const INDEX = String(FILES['/index.yaml']);
const ADA = { username: 'ada', password: 's3cret' };

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
    for (const named of ['', wrong]) {
      await expect(home.repositories.add({ ...request, caFile: named })).rejects.toEqual(
        helmFailed('repository-unreachable', {
          of: { kind: 'index', name: 'logtool' },
          address: `${server.url}/index.yaml`,
          outage: { problem: 'system', why: 'self-signed certificate' },
          certificate: { caFile: named },
        }),
      );
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
    await expect(repositories.add({ name: 'logtool', url: server.url })).rejects.toEqual(
      helmFailed('repository-answer', {
        of: { kind: 'index', name: 'logtool' },
        address: `${server.url}/index.yaml`,
        status: 401,
        statusText: 'Unauthorized',
        hadCredentials: false,
      }),
    );
    await repositories.add({ name: 'logtool', url: server.url, ...ADA });
    await repositories.download(await repositories.find('logtool', 'logtool'));
    expect(server.seen.map(({ authorization }) => authorization)).toEqual([undefined, BASIC, BASIC]);
  });

  it('may be in the address, and appear in no message then', async () => {
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

  it('by certificate go to no other origin either', async () => {
    await using home = await makeHome();
    const asking = { ...selfSigned(), requestCert: true, rejectUnauthorized: false };
    const shown: string[] = [];
    const note =
      (whose: string, then: Handler): Handler =>
      (request, response) => {
        const { raw } = (request.socket as TLSSocket).getPeerCertificate();
        shown.push(`${whose} ${raw === undefined ? 'none' : 'certificate'}`);
        then(request, response);
      };
    await using other = await startRepository(
      { '/index.yaml': note('other', (_request, response) => response.end(INDEX)) },
      asking,
    );
    await using server = await startRepository(
      { '/index.yaml': note('own', redirectTo(`${other.url}/index.yaml`)) },
      asking,
    );
    await home.repositories.add({ name: 'logtool', url: server.url, insecureSkipTlsVerify: true });
    const own = selfSigned();
    const [cert, key] = [join(home.path, 'client.pem'), join(home.path, 'client.key')];
    await writeFile(cert, own.cert);
    await writeFile(key, own.key);
    const text = await readFile(home.config, 'utf8');
    await writeFile(
      home.config,
      text.replace('certFile: ""', `certFile: ${cert}`).replace('keyFile: ""', `keyFile: ${key}`),
    );
    await home.repositories.update();
    expect(shown).toEqual(['own none', 'other none', 'own certificate', 'other none']);
  });
});
