import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { trustOf } from '../../agent/serve/api-trust.ts';
import { judgeCertificate } from '../front-proxy/judge-certificate.ts';
import { agentSubject } from './agent-subject.ts';
import { endOf, type Issued, issueAuthority, issueLeaf } from './issue.ts';
import {
  authorityFields,
  givenAuthorities,
  leafFields,
  readAuthority,
  renewedAuthorities,
  renewedLeaf,
  signerOf,
  UnusableAuthorities,
} from './secret-data.ts';

const DAY_MS = 86_400_000;
const API = { commonName: 'logtool-api', dnsNames: ['logtool-api.logs.svc'] };
const AGENT = agentSubject('node-1');
const pem = (authorities: readonly Issued[]) => authorities.map(({ certificate }) => certificate).join('');

/** Opens a connection between two parties, and returns the client's error, if any. */
async function handshake(server: Issued, client: Issued, ca: string, servername: string) {
  const listening = createServer(
    { key: server.key, cert: server.certificate, ca, requestCert: true, rejectUnauthorized: true },
    (socket: TLSSocket) => socket.end('welcome'),
  );
  onTestFinished(() => void listening.close());
  listening.on('tlsClientError', () => undefined);
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername,
    ca,
    key: client.key,
    cert: client.certificate,
  });
  return once(socket, 'data').then(
    ([data]) => String(data),
    (error: NodeJS.ErrnoException) => error.code,
  );
}

test('API and agents trust each other by their certificates, by the names in them', async () => {
  const now = Date.now();
  const authority = issueAuthority(now);
  const api = issueLeaf(authority, API, now);
  const agent = issueLeaf(authority, AGENT, now);
  const ca = authority.certificate;
  expect(await handshake(agent, api, ca, 'node-1.logtool-agent')).toBe('welcome');
  expect(await handshake(api, agent, ca, 'logtool-api.logs.svc')).toBe('welcome');
  expect(await handshake(agent, api, ca, 'logtool-api.logs.svc')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(await handshake(agent, api, issueAuthority(now).certificate, 'node-1.logtool-agent')).not.toBe(
    'welcome',
  );
});

test('agents take the certificate of the API for the API, and their own not', () => {
  const now = Date.now();
  const authority = issueAuthority(now);
  const trust = trustOf(authority.certificate);
  const judged = (leaf: Issued, nowMs = now) =>
    judgeCertificate(new X509Certificate(leaf.certificate), trust, nowMs);
  expect(judged(issueLeaf(authority, API, now))).toBeUndefined();
  expect(judged(issueLeaf(authority, API, now), now + 31 * DAY_MS)).toBe('not-valid-now');
  expect(judged(issueLeaf(authority, AGENT, now))).toBe('name-not-allowed');
  expect(judged(issueLeaf(issueAuthority(now), API, now))).toBe('other-authority');
});

test('a certificate is kept for a third of its 30 days', () => {
  const now = Date.now();
  const authorities = renewedAuthorities({}, now);
  const leaf = renewedLeaf({}, authorities, API, now);
  const data = leafFields(leaf);
  expect(endOf(leaf.certificate) - now).toBeGreaterThan(30 * DAY_MS - 1000);
  expect(renewedLeaf(data, authorities, API, now + 9.9 * DAY_MS)).toEqual(leaf);
  expect(renewedLeaf(data, authorities, API, now + 10.1 * DAY_MS)).not.toEqual(leaf);
});

test('a certificate of another name, key or authority is replaced', () => {
  const now = Date.now();
  const authorities = renewedAuthorities({}, now);
  const leaf = issueLeaf(authorities[0], API, now);
  const data = leafFields(leaf);
  expect(renewedLeaf(data, authorities, API, now)).toEqual(leaf);
  const moved = { ...API, dnsNames: ['logtool-api.other.svc'] };
  expect(renewedLeaf(data, authorities, moved, now)).not.toEqual(leaf);
  expect(renewedLeaf(data, authorities, AGENT, now)).not.toEqual(leaf);
  expect(renewedLeaf(data, [issueAuthority(now)], API, now)).not.toEqual(leaf);
  const other = leafFields({ ...leaf, key: issueLeaf(authorities[0], API, now).key });
  expect(renewedLeaf(other, authorities, API, now)).not.toEqual(leaf);
  expect(renewedLeaf({ 'tls.crt': 'bm90aGluZw==' }, authorities, API, now)).not.toEqual(leaf);
});

test('a new authority signs only after all had a day to trust it, and the old one stays until it ends', () => {
  const now = Date.now();
  const old = renewedAuthorities({}, now);
  const kept = (authorities: readonly Issued[]) => authorityFields(authorities);
  expect(renewedAuthorities(kept(old), now + 121 * DAY_MS)).toEqual(old);
  const later = now + 122 * DAY_MS;
  const both = renewedAuthorities(kept(old), later);
  expect(both).toHaveLength(2);
  expect(both[0]).toEqual(old[0]);
  const signer = (nowMs: number) => {
    const leaf = new X509Certificate(renewedLeaf({}, both, API, nowMs).certificate);
    return both.findIndex(({ certificate }) => leaf.checkIssued(new X509Certificate(certificate)));
  };
  expect(signer(later)).toBe(0);
  expect(signer(later + 2 * DAY_MS)).toBe(1);
  const ended = renewedAuthorities(kept(both), now + 366 * DAY_MS);
  expect(pem(ended)).not.toContain(old[0].certificate);
  expect(ended[0]).toEqual(both[1]);
});

describe('keeps unreadable authorities', () => {
  const now = Date.now();
  const one = renewedAuthorities({}, now);
  const fields = authorityFields(one);
  const other = authorityFields([issueAuthority(now)]);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const leaf = issueLeaf(one[0], API, now);
  const both = authorityFields([...one, issueAuthority(now)]);
  test.each<[string, Readonly<Record<string, string>>]>([
    ['no key', { 'ca.crt': fields['ca.crt']! }],
    ['no certificate', { 'ca.key': fields['ca.key']! }],
    ['the key of another', { ...fields, 'ca.key': other['ca.key']! }],
    ['fewer keys than certificates', { ...both, 'ca.key': fields['ca.key']! }],
    ['fewer certificates than keys', { ...both, 'ca.crt': fields['ca.crt']! }],
    ['one with an unreadable key', { ...fields, 'ca.key': base64('nonsense') }],
    ['one that is unreadable', { ...fields, 'ca.crt': base64('nonsense') }],
    ['one that is cut off', { ...fields, 'ca.crt': fields['ca.crt']!.slice(0, 400) }],
    [
      'a certificate that is no authority',
      { 'ca.crt': base64(leaf.certificate), 'ca.key': base64(leaf.key) },
    ],
  ])('%s', (_, data) => {
    expect(() => renewedAuthorities(data, now)).toThrow(UnusableAuthorities);
  });
});

describe('an authority from elsewhere', () => {
  const now = Date.now();
  const given = issueAuthority(now);

  test('signs, is kept as the newest, and none is made when it is due', () => {
    const authorities = givenAuthorities({}, given, now);
    expect(authorities).toEqual([given]);
    const kept = authorityFields(authorities);
    expect(givenAuthorities(kept, given, now + 200 * DAY_MS)).toEqual([given]);
    const next = issueAuthority(now + 200 * DAY_MS);
    expect(givenAuthorities(kept, next, now + 200 * DAY_MS)).toEqual([given, next]);
  });

  test('takes the place of one that was made, which stays trusted until it ends', () => {
    const made = renewedAuthorities({}, now - 30 * DAY_MS);
    const authorities = givenAuthorities(authorityFields(made), given, now);
    expect(authorities).toEqual([...made, given]);
    const leaf = issueLeaf(made[0], API, now);
    expect(renewedLeaf(leafFields(leaf), authorities, API, now)).toEqual(leaf);
    expect(signerOf(authorities, now + 2 * DAY_MS)).toEqual(given);
    expect(givenAuthorities(authorityFields(authorities), given, now + 340 * DAY_MS)).toEqual([given]);
  });

  test.each<[string, string, string]>([
    ['a certificate of a server', issueLeaf(given, API, now).certificate, issueLeaf(given, API, now).key],
    ['the key of another', given.certificate, issueAuthority(now).key],
    ['no certificate', 'none', given.key],
    ['no key', given.certificate, 'none'],
  ])('is not %s', (_, certificate, key) => {
    expect(readAuthority(certificate, key, now)).toBeUndefined();
  });

  test('is the first of a chain, until it ends', () => {
    const chain = given.certificate + issueAuthority(now).certificate;
    expect(readAuthority(chain, given.key, now)).toEqual(given);
    expect(readAuthority(chain, given.key, now + 366 * DAY_MS)).toBeUndefined();
  });
});
