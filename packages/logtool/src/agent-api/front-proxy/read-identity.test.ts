import { aggregationRecording } from '@logtool/simcluster/test/support/recorded-aggregation.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readIdentity } from './read-identity.ts';

const HEADER = {
  authorities: [],
  allowedNames: [],
  userHeaders: ['x-remote-user'],
  uidHeaders: ['x-remote-uid'],
  groupHeaders: ['x-remote-group'],
  extraPrefixes: ['x-remote-extra-'],
};
const CREDENTIAL = 'authentication.kubernetes.io/credential-id';

/** The headers of a recording as Node.js would have them. */
function recordedHeaders(name: string): readonly string[] {
  const headers = aggregationRecording(name).asSeenByTheExtension?.headers ?? {};
  return Object.entries(headers).flatMap(([key, values]) => [values].flat().flatMap((value) => [key, value]));
}

const ACCOUNT = {
  user: 'system:serviceaccount:truth:logtool-api',
  uid: 'd8c17197-6791-4a99-af5a-22de41fd4371',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:truth', 'system:authenticated'],
};

test.each([
  [
    'headers-admin',
    {
      user: 'admin',
      uid: '',
      groups: ['system:masters', 'system:authenticated'],
      extra: {
        [CREDENTIAL]: ['X509SHA256=9f02e7f98073e9460b2153c956ddb961eda6a45aef5893b02efe7cd0cf4ba858'],
      },
    },
  ],
  [
    'headers-certificate-user',
    {
      user: 'two-groups',
      uid: '',
      groups: ['ops', 'dev', 'system:authenticated'],
      extra: {
        [CREDENTIAL]: ['X509SHA256=5006ad531af373b4a5f5cde377e934ba95d1fd0d92d95bb1308f2c19c8bb4a0c'],
      },
    },
  ],
  [
    'headers-impersonated',
    { user: 'jane', uid: '42', groups: ['dev', 'system:authenticated'], extra: { 'scopes/a': ['view'] } },
  ],
  ['headers-odd-user', { user: 'jane doe/x:y%20', uid: '', groups: ['system:authenticated'], extra: {} }],
  [
    'headers-pod-bound-token',
    {
      ...ACCOUNT,
      extra: {
        [CREDENTIAL]: ['JTI=4c4cf90b-7da9-4110-aed0-2da3e67d2178'],
        'authentication.kubernetes.io/node-name': ['node1'],
        'authentication.kubernetes.io/node-uid': ['d45759be-4f7b-48af-8bd9-a676b8c91446'],
        'authentication.kubernetes.io/pod-name': ['logtool-api-7d758848c9-655n2'],
        'authentication.kubernetes.io/pod-uid': ['92c47756-1e7b-4bdd-b626-63b668db0bf8'],
      },
    },
  ],
  [
    'headers-service-account',
    { ...ACCOUNT, extra: { [CREDENTIAL]: ['JTI=b3782aa3-3d38-42c4-bba8-7e6e4e903c97'] } },
  ],
  ['headers-spoofed', { ...ACCOUNT, extra: { [CREDENTIAL]: ['JTI=b3782aa3-3d38-42c4-bba8-7e6e4e903c97'] } }],
])('reads %s as a real API server sent them', (name, identity) => {
  expect(readIdentity(recordedHeaders(name), HEADER)).toEqual(identity);
});

const USER = ['X-Remote-User', 'jane'];
const many = (name: string, count: number) => Array.from({ length: count }, () => [name, 'x']).flat();

test.each([
  ['no header', [], 'no-user'],
  ['groups alone', ['X-Remote-Group', 'system:masters'], 'no-user'],
  ['an empty user', ['X-Remote-User', ''], 'no-user'],
  ['a blank user', ['X-Remote-User', ' '], 'no-user'],
  ['a second user', [...USER, 'x-remote-user', 'admin'], 'second-user'],
  ['the same user twice', [...USER, ...USER], 'second-user'],
  ['an empty user before another', ['X-Remote-User', '', ...USER], 'second-user'],
  ['a second uid', [...USER, 'X-Remote-Uid', '1', 'X-Remote-Uid', '2'], 'second-uid'],
  ['a line break in the user', ['X-Remote-User', 'jane\nadmin'], 'bad-text'],
  ['NUL in a group', [...USER, 'X-Remote-Group', 'a\0b'], 'bad-text'],
  ['a control character of two bytes', ['X-Remote-User', 'jane\u00c2\u0085'], 'bad-text'],
  ['bytes that are not UTF-8', ['X-Remote-User', 'jan\u00e9'], 'bad-text'],
  ['a blank before the user', ['X-Remote-User', ' jane'], 'bad-text'],
  ['a blank after a group', [...USER, 'X-Remote-Group', 'ops '], 'bad-text'],
  ['a line break in a key', [...USER, 'X-Remote-Extra-a%0ab', 'x'], 'bad-text'],
  ['a broken escape in a key', [...USER, 'X-Remote-Extra-a%2', 'x'], 'bad-text'],
  ['an empty key', [...USER, 'X-Remote-Extra-', 'x'], 'bad-text'],
  ['1,001 groups', [...USER, ...many('X-Remote-Group', 1001)], 'too-many'],
  ['100,000 groups', [...USER, ...many('X-Remote-Group', 100_000)], 'too-many'],
  ['1,001 extra values', [...USER, ...many('X-Remote-Extra-a', 1001)], 'too-many'],
])('names nobody with %s', (_, rawHeaders, problem) => {
  expect(readIdentity(rawHeaders, HEADER)).toEqual({ problem });
});

test('keeps order and repetition, leaves out empty groups, decodes UTF-8', () => {
  const pairs = [
    ['X-REMOTE-USER', Buffer.from('Zoë').toString('latin1')],
    ['X-Remote-Group', 'b'],
    ['X-Remote-Group', ''],
    ['X-Remote-Group', 'a'],
    ['X-Remote-Extra-__proto__', 'x'],
    ['X-Remote-Extra-K', '2'],
    ['X-Remote-Extra-k', '1'],
  ];
  const identity = readIdentity(pairs.flat(), HEADER);
  expect(identity).toMatchObject({ user: 'Zoë', groups: ['b', 'a'] });
  expect('extra' in identity && Object.entries(identity.extra)).toEqual([
    ['__proto__', ['x']],
    ['k', ['2', '1']],
  ]);
});

test('returns an identity or a problem for any headers', () => {
  const name = fc.oneof(
    fc.constantFrom('X-Remote-User', 'X-Remote-Uid', 'X-Remote-Group', 'Accept'),
    fc.string().map((key) => `X-Remote-Extra-${key}`),
  );
  const value = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), (pairs) => {
      const identity = readIdentity(pairs.flat(), HEADER);
      if ('problem' in identity) return;
      const users = pairs.filter(([key]) => key === 'X-Remote-User');
      expect([users.length, identity.user.trim() === '']).toEqual([1, false]);
    }),
    { numRuns: 1000 },
  );
});
