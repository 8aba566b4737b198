import { expect, onTestFinished, test } from 'vitest';
import {
  askThrough,
  type EchoServer,
  startEchoServer,
} from '../../../../test/support/connection/echo-server.ts';
import { base64, worldOf } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { selfSigned, type TestCertificate } from '../../../../test/support/tls-server/certificates.ts';
import { FakeClock } from '../values/clock.ts';
import type { SessionStore } from './tls-contexts.ts';

const HOUR_MS = 3_600_000;

async function server(options: { certificate?: TestCertificate; port?: number } = {}): Promise<EchoServer> {
  const started = await startEchoServer(options);
  onTestFinished(() => started.close());
  return started;
}

/** Returns a store that keeps in a map what would be on disk between runs. */
function memory() {
  const kept = new Map<string, Uint8Array>();
  const store: SessionStore = {
    read: (name) => kept.get(name),
    write: (name, bytes) => void kept.set(name, bytes),
  };
  return { kept, store };
}

/** Makes the kubeconfig of one server. Each `run` is a connection of a new process. */
async function runsOf(url: string, cluster: object, user: object = {}) {
  const { kept, store } = memory();
  const clock = new FakeClock();
  const world = await worldOf({ server: url, ...cluster }, user, { clock });
  const run = async (sessions: SessionStore | undefined = store) =>
    (await askThrough(await world.open({ sessions }))).isResumed;
  return { kept, clock, run, world };
}

test('a later run resumes the session of an earlier one', async () => {
  const { url, certificate } = await server();
  const { kept, run } = await runsOf(url, { 'certificate-authority-data': base64(certificate.cert) });
  expect(await run()).toBe(false);
  expect(kept.size).toBe(1);
  expect(await run()).toBe(true);
  expect(await run()).toBe(true);
  expect(await run({ read: () => undefined, write: () => undefined })).toBe(false);
});

test('a server that does not know the session is checked in full, and gives a new one', async () => {
  const certificate = selfSigned();
  const first = await server({ certificate });
  const { kept, run } = await runsOf(first.url, { 'certificate-authority-data': base64(certificate.cert) });
  await run();
  const before = [...kept.values()];
  await first.close();
  await server({ certificate, port: first.port });
  expect(await run()).toBe(false);
  expect([...kept.values()]).not.toEqual(before);
  expect(await run()).toBe(true);
});

test('another server in the place of the one that was checked is refused', async () => {
  const first = await server();
  const { run } = await runsOf(first.url, { 'certificate-authority-data': base64(first.certificate.cert) });
  await run();
  await first.close();
  await server({ certificate: selfSigned(), port: first.port });
  await expect(run()).rejects.toMatchObject({ code: expect.stringMatching(/CERT|SIGN/) });
});

test('a session serves only the cluster that it was opened for', async () => {
  const certificate = selfSigned();
  const { url } = await server({ certificate });
  const ca = base64(certificate.cert);
  const ann = await runsOf(url, { 'certificate-authority-data': ca });
  await ann.run();
  const [[, session]] = [...ann.kept] as [[string, Uint8Array]];
  const names: string[] = [];
  const give: SessionStore = {
    read: (name) => {
      names.push(name);
      return ann.kept.get(name);
    },
    write: () => undefined,
  };
  for (const cluster of [
    { 'certificate-authority-data': base64(certificate.cert + selfSigned().cert) },
    { 'certificate-authority-data': ca, 'tls-server-name': 'localhost' },
  ]) {
    expect(await (await runsOf(url, cluster)).run(give), JSON.stringify(cluster)).toBe(false);
  }
  expect(new Set(names).size).toBe(2);
  expect(session.length).toBeGreaterThan(100);
});

test('a session with a client certificate is never kept, and one that another user left is never used', async () => {
  const { url, certificate } = await server();
  const cluster = { 'certificate-authority-data': base64(certificate.cert) };
  const anonymous = await runsOf(url, cluster);
  await anonymous.run();
  const key = selfSigned();
  const user = { 'client-certificate-data': base64(key.cert), 'client-key-data': base64(key.key) };
  const ann = await runsOf(url, cluster, user);
  for (const [name, session] of anonymous.kept) ann.kept.set(name, session);
  expect(await ann.run()).toBe(false);
  ann.kept.clear();
  expect([await ann.run(), await ann.run(), ann.kept.size]).toEqual([false, false, 0]);
});

test('after a day, or when the clock was set back, the certificate is checked in full again', async () => {
  const { url, certificate } = await server();
  const { clock, run } = await runsOf(url, { 'certificate-authority-data': base64(certificate.cert) });
  await run();
  await clock.advance(23 * HOUR_MS);
  expect(await run()).toBe(true);
  await clock.advance(HOUR_MS);
  expect(await run()).toBe(false);
  expect(await run()).toBe(true);
});

test('an invalid session costs nothing but time', async () => {
  const { url, certificate } = await server();
  const { kept, run } = await runsOf(url, { 'certificate-authority-data': base64(certificate.cert) });
  await run();
  const [[name, whole]] = [...kept] as [[string, Uint8Array]];
  for (const broken of [
    new Uint8Array(0),
    whole.subarray(0, 8),
    whole.subarray(0, 60),
    new Uint8Array(300),
  ]) {
    kept.set(name, broken);
    expect(await run()).toBe(false);
  }
});

test('nothing is kept of a server that is not checked, nor of one that the public authorities vouch for', async () => {
  const { url } = await server();
  const insecure = await runsOf(url, { 'insecure-skip-tls-verify': true });
  await insecure.run();
  await insecure.run();
  expect(insecure.kept.size).toBe(0);
  const open = await runsOf(url, {});
  await expect(open.run()).rejects.toThrow();
  expect(open.kept.size).toBe(0);
});
