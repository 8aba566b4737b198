import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folder } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { damage, damaged } from '../../../../test/support/fuzz/damage.ts';
import { expectCleanPrototypes } from '../../../../test/support/fuzz/escaped.ts';
import { hostileText } from '../../../../test/support/fuzz/hostile-text.ts';
import { FUZZ, FUZZED } from '../../../../test/support/fuzz/seed.ts';
import { openConnection } from '../connection/open-connection.ts';
import { FakeClock } from '../values/clock.ts';
import { CodedError } from '../values/coded-error.ts';

const good = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'a',
  clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:6443', 'proxy-url': 'socks5://p' } }],
  users: [{ name: 'a', user: { token: 't', 'as-groups': ['g'] } }],
  contexts: [{ name: 'a', context: { cluster: 'a', user: 'a', namespace: 'shop' } }],
};
const yaml = `apiVersion: v1
kind: Config
current-context: a
clusters:
- name: a
  cluster: &c
    server: https://127.0.0.1:6443
    insecure-skip-tls-verify: true
    extensions: [{name: x, extension: {<<: *c}}]
users:
- {name: a, user: {username: u, password: !!str 1, auth-provider: {name: oidc, config: {id-token: a.b.c}}}}
contexts:
- name: a
  context: {cluster: a, user: a}
`;
const name = fc.oneof(fc.constantFrom('a', 'b', '__proto__', '', 'constructor'), hostileText);
const odd = fc.oneof(
  fc.anything({
    maxDepth: 3,
    withNullPrototype: false,
    key: fc.constantFrom('name', 'user', 'server', '__proto__', 'exec'),
  }),
  hostileText,
);
/** An unusable server, file or text. */
const text = fc.oneof(
  fc.constantFrom(
    'https://h',
    'http://[',
    'h:1',
    '../x',
    'aGk=',
    'file:///etc/passwd',
    'https://a:b@h/\x1b',
    '\0',
    'a\nb',
  ),
  hostileText,
);
const fields = (...names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((key) => [key, fc.oneof({ weight: 4, arbitrary: text }, odd)])), {
    requiredKeys: [],
  });
const cluster = fields(
  'server',
  'certificate-authority',
  'certificate-authority-data',
  'insecure-skip-tls-verify',
  'tls-server-name',
  'proxy-url',
  'extensions',
);
const user = fields(
  'token',
  'tokenFile',
  'username',
  'password',
  'client-certificate-data',
  'client-key',
  'as',
  'as-uid',
  'as-groups',
  'as-user-extra',
  'auth-provider',
  'exec',
);
const entries = (key: string, value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(value, name).map(([fits, other]) => [
        { name: 'a', [key]: fits },
        { name: other, [key]: fits },
      ]),
    },
    odd,
  );
const shaped = fc
  .record({
    'current-context': fc.oneof({ weight: 6, arbitrary: fc.constant('a') }, name),
    clusters: entries(
      'cluster',
      cluster.map((found) => ({ server: 'https://h', ...found })),
    ),
    users: entries('user', user),
    contexts: entries('context', fc.constant({ cluster: 'a', user: 'a' })),
  })
  .map((value) =>
    Buffer.from(JSON.stringify(value, (_, found) => (typeof found === 'bigint' ? `${found}` : found))),
  );
const harmed = (whole: string) => damage.map((harm) => damaged(Buffer.from(whole), harm));
const bytes = fc.oneof(
  { weight: 3, arbitrary: harmed(JSON.stringify(good)) },
  { weight: 3, arbitrary: harmed(yaml) },
  { weight: 3, arbitrary: shaped },
  fc.uint8Array({ maxLength: 100 }).map((all) => Buffer.from(all)),
);

test(`any kubeconfig gives a connection or an error for people (${FUZZED})`, async () => {
  const directory = await folder();
  const file = join(directory, 'config');
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      // Delete the file first: one that is truncated first is flushed to the disk, which takes five times as long.
      rmSync(file, { force: true });
      writeFileSync(file, content);
      try {
        const connection = await openConnection({
          kubeconfig: file,
          env: { PATH: directory },
          homeDirectory: directory,
          clock: new FakeClock(),
          interactive: false,
        });
        opened++;
        expect(connection.server.protocol).toMatch(/^https?:$/);
        connection.close();
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        expect(error.code).not.toBe('');
        expect(error.message).not.toMatch(/TypeError|is not a function|Cannot read prop/);
      }
    }),
    FUZZ,
  );
  expect(opened).toBeGreaterThan(FUZZ.numRuns / 20);
  expectCleanPrototypes('kubeconfigs');
});
