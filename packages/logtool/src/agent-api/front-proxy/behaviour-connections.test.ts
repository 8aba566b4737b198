import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2, createSecureServer, type Http2SecureServer } from 'node:http2';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KubeErrorKind, ReflectorEvent } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { type Authority, createAuthority, type Identity } from '@logtool/simcluster/src/access/tls.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fakeClient } from '../../../../../test/support/fake-client.ts';
import { askedBy, HEADER_LIMITS } from './asked-by.ts';
import { FrontProxy } from './front-proxy.ts';
import { judgeCertificate } from './judge-certificate.ts';
import { parseRequestHeader, type RequestHeader } from './request-header.ts';

/** A real server, asked past the API server over either HTTP version with each wrong certificate. */
const DAY_MS = 86_400_000;
let server: Http2SecureServer;
let serverCa: string;
let authority: Authority;
let others: { readonly cluster: Authority; readonly namesake: Authority };
const certificates: Record<string, Identity | undefined> = {};
const clock = new FakeClock(Date.now());
let proxy: FrontProxy;

beforeAll(async () => {
  authority = await createAuthority('front-proxy-ca');
  others = {
    cluster: await createAuthority('kubernetes-ca'),
    namesake: await createAuthority('front-proxy-ca'),
  };
  const genuine = await authority.issueClient('front-proxy-client', []);
  const otherName = await authority.issueClient('somebody-else', []);
  const clusterAdmin = await others.cluster.issueClient('admin', ['system:masters']);
  const namesake = await others.namesake.issueClient('front-proxy-client', []);
  const stuffed = (leaf: Identity) => ({
    ...leaf,
    certificate: `${leaf.certificate}\n${genuine.certificate}`,
  });
  Object.assign(certificates, {
    genuine,
    otherName,
    clusterAdmin,
    namesake,
    clusterNamedLikeIt: await others.cluster.issueClient('front-proxy-client', []),
    expired: await authority.issueClient('front-proxy-client', [], { expired: true }),
    forServers: await authority.issueServer(['front-proxy-client']),
    otherNameStuffed: stuffed(otherName),
    clusterAdminStuffed: stuffed(clusterAdmin),
    namesakeStuffed: { ...namesake, certificate: `${namesake.certificate}\n${authority.certificate}` },
    none: undefined,
  });
  const logtoolCa = await createAuthority('logtool-ca');
  serverCa = logtoolCa.certificate;
  const { key, certificate } = await logtoolCa.issueServer(['localhost']);
  const tls = { key, cert: certificate, requestCert: true, rejectUnauthorized: false, allowHTTP1: true };
  server = createSecureServer({ ...tls, ...HEADER_LIMITS } as Parameters<typeof createSecureServer>[0]);
  server.on('request', (incoming, response) => {
    const caller = proxy.callerOf(askedBy(incoming));
    if ('identity' in caller) response.end(JSON.stringify(caller.identity));
    else {
      response.statusCode = caller.status.code;
      response.end(JSON.stringify(caller.status));
    }
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(async () => {
  proxy = await knowing(configMap([authority]));
});

const configMap = (from: readonly Authority[], names = '["front-proxy-client"]') => ({
  metadata: { name: 'extension-apiserver-authentication', uid: 'u', resourceVersion: '1' },
  data: {
    'client-ca-file': others.cluster.certificate,
    'requestheader-client-ca-file': from.map(({ certificate }) => certificate).join('\n'),
    'requestheader-allowed-names': names,
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  },
});
type ConfigMap = ReturnType<typeof configMap>;

/** Returns a FrontProxy that has seen these events, or a snapshot with this ConfigMap. */
async function knowing(...events: readonly (ConfigMap | ReflectorEvent<ConfigMap>)[]): Promise<FrontProxy> {
  const front = new FrontProxy(clock);
  const client = fakeClient({
    async *reflect() {
      for (const event of events) yield 'type' in event ? event : { type: 'snapshot', objects: [event] };
    },
  });
  await front.follow(client, new AbortController().signal);
  return front;
}

interface Answer {
  readonly code: number;
  readonly body: { readonly user?: string; readonly reason?: string; readonly code?: number };
}
type Headers = Readonly<Record<string, string | string[]>>;
const ADMIN: Headers = { 'X-Remote-User': 'admin', 'X-Remote-Group': ['system:masters', 'ops'] };

/** Opens a connection; each call sends a request on it. */
type Connection = { ask(headers?: Headers): Promise<Answer>; close(): void };

function openHttp1(identity: Identity | undefined): Connection {
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: serverCa, ...clientOf(identity) });
  return {
    ask: (headers = ADMIN) =>
      new Promise((resolve, reject) => {
        request({ host: 'localhost', port, agent, headers }, async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk);
          resolve(answerOf(response.statusCode, chunks));
        })
          .on('error', reject)
          .end();
      }),
    close: () => agent.destroy(),
  };
}

function openHttp2(identity: Identity | undefined): Connection {
  const { port } = server.address() as AddressInfo;
  const session = connectHttp2(`https://localhost:${port}`, { ca: serverCa, ...clientOf(identity) });
  return {
    ask: async (headers = ADMIN) => {
      const stream = session.request({ ':path': '/', ...headers });
      const [response] = await once(stream, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      return answerOf(response[':status'], chunks);
    },
    close: () => session.close(),
  };
}

const clientOf = (identity: Identity | undefined) =>
  identity === undefined ? {} : { cert: identity.certificate, key: identity.key };
const answerOf = (code: number | undefined, chunks: readonly Buffer[]): Answer => ({
  code: code ?? 0,
  body: JSON.parse(Buffer.concat(chunks).toString()),
});

describe.each([
  ['HTTP/1.1', openHttp1],
  ['HTTP/2', openHttp2],
])('over %s', (_, open) => {
  async function askOnce(name: string, headers?: Headers): Promise<Answer> {
    const connection = open(certificates[name]);
    try {
      return await connection.ask(headers);
    } finally {
      connection.close();
    }
  }

  test('answers the front proxy', async () => {
    expect(await askOnce('genuine')).toEqual({
      code: 200,
      body: { user: 'admin', uid: '', groups: ['system:masters', 'ops'], extra: {} },
    });
  });

  test.each([
    'none',
    'otherName',
    'clusterAdmin',
    'clusterNamedLikeIt',
    'namesake',
    'expired',
    'forServers',
    'otherNameStuffed',
    'clusterAdminStuffed',
    'namesakeStuffed',
  ])('answers 401 to the certificate %s, whatever its headers say', async (name) => {
    const { code, body } = await askOnce(name);
    expect([code, body]).toEqual([
      401,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      },
    ]);
  });

  test.each<[string, Headers, number]>([
    ['no user', {}, 401],
    ['an empty user', { 'X-Remote-User': '' }, 401],
    ['1,001 groups', { 'X-Remote-User': 'a', 'X-Remote-Group': Array(1001).fill('g') }, 400],
    ['bytes that are not UTF-8', { 'X-Remote-User': 'jan\u00e9' }, 400],
  ])('answers headers with %s', async (__, headers, code) => {
    const answer = await askOnce('genuine', headers);
    expect([answer.code, answer.body.code]).toEqual([code, code]);
  });

  test('reads a user name of more than ASCII', async () => {
    const user = Buffer.from('Zoë').toString('latin1');
    expect((await askOnce('genuine', { 'X-Remote-User': user })).body.user).toBe('Zoë');
  });

  test('decides again at each request of an open connection', async () => {
    const oldClient = open(certificates.genuine);
    const newClient = open(certificates.namesake);
    const both = async () => [(await oldClient.ask()).code, (await newClient.ask()).code];
    expect(await both()).toEqual([200, 401]);
    proxy = await knowing(configMap([authority]), {
      type: 'changed',
      object: configMap([authority, others.namesake]),
    });
    expect(await both()).toEqual([200, 200]);
    proxy = await knowing(configMap([authority]), { type: 'changed', object: configMap([others.namesake]) });
    expect(await both()).toEqual([401, 200]);
    clock.set(3651 * DAY_MS);
    expect(await both()).toEqual([401, 401]);
    clock.set(-3651 * DAY_MS);
    expect(await both()).toEqual([401, 200]);
    oldClient.close();
    newClient.close();
  });
});

test('a second user header is a bad request', async () => {
  const rawHeaders = ['X-Remote-User', 'jane', 'X-Remote-User', 'admin'];
  const caller = proxy.callerOf({ leaf: leafOf('genuine'), rawHeaders });
  expect(caller).toMatchObject({ problem: 'second-user', status: { code: 400, reason: 'BadRequest' } });
});

const leafOf = (name: string) => new X509Certificate(certificates[name]?.certificate ?? '');
const header = (names?: string) => parseRequestHeader(configMap([authority], names).data) as RequestHeader;

test.each([
  ['genuine', 0, undefined, undefined],
  ['genuine', 0, '["other", "front-proxy-client"]', undefined],
  ['genuine', 0, '["other"]', 'name-not-allowed'],
  ['otherName', 0, '[]', undefined],
  ['otherName', 0, undefined, 'name-not-allowed'],
  ['otherName', 0, '["Somebody-Else"]', 'name-not-allowed'],
  ['namesake', 0, '[]', 'other-authority'],
  ['clusterAdmin', 0, '[]', 'other-authority'],
  ['expired', 0, '[]', 'not-valid-now'],
  ['genuine', -2 * DAY_MS, '[]', 'authority-not-valid-now'],
  ['genuine', 3651 * DAY_MS, '[]', 'authority-not-valid-now'],
  ['genuine', Number.NaN, '[]', 'authority-not-valid-now'],
  ['forServers', 0, '[]', 'not-for-clients'],
] as const)('judges %s, %d ms from now, with the names %s', (name, offsetMs, names, problem) => {
  expect(judgeCertificate(leafOf(name), header(names), Date.now() + offsetMs)).toBe(problem);
});

test('no certificate of the bundle vouches if it is not an authority', () => {
  const bundle = [leafOf('genuine')];
  const judged = judgeCertificate(leafOf('genuine'), { ...header(), authorities: bundle }, Date.now());
  expect(judged).toBe('other-authority');
});

const retryingAfter = (kind: KubeErrorKind): ReflectorEvent<ConfigMap> => ({
  type: 'state',
  state: 'retrying',
  error: new KubeError({ kind, message: kind }),
});
const gone = { type: 'deleted' as const };
test.each<[string, () => readonly (ConfigMap | ReflectorEvent<ConfigMap>)[]]>([
  ['before it was read', () => []],
  ['while there is none', () => [{ type: 'snapshot', objects: [] }]],
  ['after it was deleted', () => [configMap([authority]), { ...gone, object: configMap([authority]) }]],
  ['after it became unreadable', () => [configMap([authority]), { type: 'changed', object: configMap([]) }]],
  ['after its reading was forbidden', () => [configMap([authority]), retryingAfter('forbidden')]],
  [
    'after its reading was forbidden, while the API server is away',
    () => [configMap([authority]), retryingAfter('forbidden'), retryingAfter('connection')],
  ],
])('answers 503 %s', async (_, events) => {
  const caller = (await knowing(...events())).callerOf({
    leaf: leafOf('genuine'),
    rawHeaders: ['X-Remote-User', 'a'],
  });
  expect(caller).toMatchObject({
    status: { code: 503, reason: 'ServiceUnavailable', details: { retryAfterSeconds: 5 } },
  });
});

test.each<[string, readonly ReflectorEvent<ConfigMap>[]]>([
  ['while the API server is away', [retryingAfter('connection')]],
  [
    'while only watching is forbidden',
    [{ type: 'state', state: 'polling', error: new KubeError({ kind: 'forbidden', message: '' }) }],
  ],
  ['once its reading is permitted again', [retryingAfter('forbidden'), { type: 'state', state: 'polling' }]],
  ['once its watching is permitted again', [retryingAfter('forbidden'), { type: 'state', state: 'live' }]],
])('keeps what it knows %s', async (_, events) => {
  const front = await knowing(configMap([authority]), ...events);
  await front.known;
  const caller = front.callerOf({ leaf: leafOf('genuine'), rawHeaders: ['X-Remote-User', 'a'] });
  expect(caller).toMatchObject({ identity: { user: 'a' } });
});
