import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AnyRequest, sendStatus } from '../http/answers.ts';
import { type ServedHttps, serveHttps } from '../http/https-server.ts';
import { AgentCertificates } from './agent-certificates.ts';
import { agentSubject } from './agent-subject.ts';
import { type Issued, issueAuthority, issueLeaf } from './issue.ts';
import { type IssueAnswer, type IssueOptions, issueToAgent } from './issue-to-agent.ts';

const DAY_MS = 86_400_000;
const NAME = 'logs-api.logs.svc';
const API = { commonName: 'logtool-api', dnsNames: [NAME] };
const { signal } = new AbortController();

let clock: FakeClock;
let authority: Issued;
/** What the agents have sent: their tokens, and nothing else of the machine. */
let tokens: string[];
let answers: IssueAnswer[];
let served: ServedHttps[];
let folder: string;
beforeEach(async () => {
  clock = new FakeClock(Date.now());
  authority = issueAuthority(clock.now());
  tokens = [];
  answers = [];
  served = [];
  folder = await mkdtemp(join(tmpdir(), 'logtool-token-'));
});
afterEach(async () => {
  for (const each of served) await each.close();
  await rm(folder, { recursive: true });
});

const options = (): IssueOptions => ({
  clock,
  namespace: 'logs',
  account: 'logs-agent',
  signer: () => authority,
  client: {
    reviewToken: async (token) => {
      tokens.push(token);
      const extra = {
        'authentication.kubernetes.io/pod-name': ['agent-x'],
        'authentication.kubernetes.io/pod-uid': ['u1'],
      };
      return { user: 'system:serviceaccount:logs:logs-agent', uid: '1', groups: [], extra };
    },
    get: (async () => ({
      metadata: { name: 'agent-x', uid: 'u1' },
      spec: { nodeName: 'node-1', serviceAccountName: 'logs-agent' },
    })) as unknown as IssueOptions['client']['get'],
  },
});

async function serve(own: Issued): Promise<number> {
  const server = await serveHttps({
    ...own,
    host: '127.0.0.1',
    port: 0,
    answer: async (request, response) => {
      const answered = await issueToAgent(request, options(), signal);
      answers.push(answered);
      if ('certificate' in answered) response.end(answered.certificate);
      else sendStatus(response, answered.status);
    },
  });
  served.push(server);
  return server.port;
}

async function agentOf(port: number): Promise<AgentCertificates> {
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'first\n');
  return new AgentCertificates({ clock, api: { host: '127.0.0.1', port, name: NAME }, tokenFile });
}

const newKey = (namedCurve = 'P-256') =>
  generateKeyPairSync('ec', {
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

test('an agent gets a certificate for its node and its key, and another in time', async () => {
  const agent = await agentOf(await serve(issueLeaf(authority, API, clock.now())));
  const first = await agent.read(authority.certificate, signal);
  const leaf = new X509Certificate(first.certificate);
  expect([leaf.subject, leaf.subjectAltName]).toEqual(['CN=logtool-agent', 'DNS:node-1.logtool-agent']);
  expect(leaf.checkPrivateKey(createPrivateKey(first.key))).toBe(true);
  expect(Date.parse(leaf.validTo) - clock.now()).toBeGreaterThan(30 * DAY_MS - 1000);
  await clock.advance(9.9 * DAY_MS);
  expect(await agent.read(authority.certificate, signal)).toBe(first);
  // The kubelet has renewed the token meanwhile.
  await writeFile(join(folder, 'token'), 'second\n');
  await clock.advance(0.2 * DAY_MS);
  const second = await agent.read(authority.certificate, signal);
  expect(second.key).not.toBe(first.key);
  expect(tokens).toEqual(['first', 'second']);
  expect(JSON.stringify(answers)).not.toContain('PRIVATE KEY');
});

test('an agent gets another certificate when the authority of its own is trusted no more', async () => {
  const old = authority;
  const agent = await agentOf(await serve(issueLeaf(old, API, clock.now())));
  const first = await agent.read(old.certificate, signal);
  authority = issueAuthority(clock.now());
  expect(await agent.read(`${old.certificate}${authority.certificate}`, signal)).toBe(first);
  served[0]!.renew(issueLeaf(authority, API, clock.now()));
  const second = await agent.read(authority.certificate, signal);
  expect(
    new X509Certificate(second.certificate).verify(new X509Certificate(authority.certificate).publicKey),
  ).toBe(true);
});

describe('an agent does not send its token to', () => {
  test.each<[string, () => Issued, string]>([
    [
      'an agent',
      () => issueLeaf(authority, agentSubject('node-2'), clock.now()),
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    [
      'the API of another namespace',
      () => issueLeaf(authority, { ...API, dnsNames: ['logs-api.other.svc'] }, clock.now()),
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    [
      'a server of another authority',
      () => issueLeaf(issueAuthority(clock.now()), API, clock.now()),
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ],
  ])('%s', async (_, issue, code) => {
    const agent = await agentOf(await serve(issue()));
    await expect(agent.read(authority.certificate, signal)).rejects.toMatchObject({ code });
    expect(tokens).toEqual([]);
  });
});

test('what the API refuses is tried again by whoever asks for the certificate, and says why', async () => {
  const agent = await agentOf(await serve(issueLeaf(authority, API, clock.now())));
  await writeFile(join(folder, 'token'), 'not a token');
  await expect(agent.read(authority.certificate, signal)).rejects.toThrow(/^401 .*Unauthorized/);
  await writeFile(join(folder, 'token'), 'token');
  expect(await agent.read(authority.certificate, signal)).toHaveProperty('certificate');
});

describe('no certificate is issued for', () => {
  const asked = (body: string | Buffer, method = 'POST', authorization = 'Bearer token') =>
    ({
      method,
      headers: { authorization },
      async *[Symbol.asyncIterator]() {
        yield Buffer.from(body);
      },
    }) as unknown as AnyRequest;
  test.each<[string, () => AnyRequest, object]>([
    ['a GET', () => asked(newKey().publicKey, 'GET'), { status: { code: 405 } }],
    ['no token', () => asked(newKey().publicKey, 'POST', ''), { problem: 'not-a-token' }],
    ['a password', () => asked(newKey().publicKey, 'POST', 'Basic eDp5'), { problem: 'not-a-token' }],
    ['no key', () => asked('no key'), { problem: 'bad-key', status: { code: 400 } }],
    ['a private key', () => asked(newKey().privateKey), { problem: 'bad-key' }],
    ['a key of another curve', () => asked(newKey('P-384').publicKey), { problem: 'bad-key' }],
    ['a broken key', () => asked(newKey().publicKey.slice(0, 80)), { problem: 'bad-key' }],
    ['a large body', () => asked(Buffer.alloc(5000)), { problem: 'too-large', status: { code: 413 } }],
  ])('%s', async (_, request, answer) => {
    expect(await issueToAgent(request(), options(), signal)).toMatchObject(answer);
  });
});
