import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { httpAnswer } from '../../../test/support/fuzz/bytes-agent.ts';
import { bytesClient, runDown, settle } from '../../../test/support/fuzz/bytes-client.ts';
import { type Damage, damage, damaged } from '../../../test/support/fuzz/damage.ts';
import { expectCleanPrototypes } from '../../../test/support/fuzz/escaped.ts';
import { FUZZ, FUZZED, HANG_MS } from '../../../test/support/fuzz/seed.ts';
import { PODS } from './builtin-resources.ts';
import type { ClusterClient } from './create-client.ts';
import { KubeError } from './errors.ts';
import { describeKubeError } from './failure/describe.ts';
import { CodedError } from './values/coded-error.ts';

const metadata = (name: string, more: object = {}) => ({
  name,
  namespace: 'shop',
  uid: `uid-${name}`,
  resourceVersion: '7',
  labels: { app: name },
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: 'u', controller: true }],
  ...more,
});
const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: metadata(name) });
const status = (code: number, more: object = {}) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: { continue: 'next' },
  status: 'Failure',
  message: 'it is not so',
  reason: 'Expired',
  details: { name: 'web', kind: 'pods', causes: [{ field: 'f', message: 'm' }], retryAfterSeconds: 1 },
  code,
  ...more,
});
const json = (value: unknown) => JSON.stringify(value);
const list = json({
  kind: 'PodList',
  metadata: { resourceVersion: '9', continue: '' },
  items: [pod('a'), pod('b')],
});
const event = (type: string, object: unknown) => `${json({ type, object })}\n`;

type Ask = (client: ClusterClient) => Promise<unknown>;
async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const item of stream) found.push(item);
  return found;
}

/** A request of each kind, with a matching answer. */
const EXCHANGES: readonly (readonly [Ask, Buffer])[] = [
  [(client) => all(client.list(PODS, { namespace: 'shop' })), httpAnswer(200, list, '', true)],
  [(client) => all(client.list(PODS, {})), httpAnswer(200, gzipSync(list), 'Content-Encoding: gzip\r\n')],
  [
    (client) => all(client.list(PODS, {})),
    httpAnswer(200, json({ metadata: { continue: 'more' }, items: [pod('a')] })),
  ],
  [
    (client) => all(client.watch(PODS, { resourceVersion: '7' })),
    httpAnswer(
      200,
      event('ADDED', pod('a')) + event('BOOKMARK', pod('b')) + event('ERROR', status(410)),
      '',
      true,
    ),
  ],
  [
    (client) => all(client.watch(PODS, { resourceVersion: '7' })),
    httpAnswer(200, event('DELETED', pod('a'))),
  ],
  [
    async (client) => all((await client.log({ namespace: 'shop', pod: 'web', timestamps: true })).body),
    httpAnswer(200, '2026-11-21T10:00:00Z hello\n2026-11-21T10:00:01Z \x1b[2J\n', '', true),
  ],
  [
    (client) => client.discover(),
    httpAnswer(
      200,
      json({
        kind: 'APIGroupList',
        groups: [
          {
            name: 'apps',
            versions: [{ version: 'v1' }],
            preferredVersion: { version: 'v1' },
            resources: [{ name: 'x', kind: 'X', verbs: ['list'] }],
          },
        ],
      }),
    ),
  ],
  [
    (client) => client.discover(),
    httpAnswer(
      200,
      json({
        kind: 'APIGroupDiscoveryList',
        items: [
          {
            metadata: { name: 'apps' },
            versions: [
              {
                version: 'v1',
                resources: [
                  {
                    resource: 'deployments',
                    responseKind: { kind: 'Deployment' },
                    scope: 'Namespaced',
                    shortNames: ['deploy'],
                    verbs: ['list'],
                  },
                ],
              },
            ],
          },
        ],
      }),
      '',
      true,
    ),
  ],
  [(client) => client.get(PODS, { namespace: 'shop', name: 'web' }), httpAnswer(200, json(pod('web')))],
  [(client) => client.get(PODS, { namespace: 'shop', name: 'web' }), httpAnswer(404, json(status(404)))],
  [
    (client) => client.getMetadata(PODS, { name: 'web' }),
    httpAnswer(429, json(status(429)), 'Retry-After: 1\r\n'),
  ],
  [
    (client) => client.get(PODS, { name: 'web' }),
    httpAnswer(302, '', 'Location: https://login.invalid/\r\n'),
  ],
  [
    (client) => client.get(PODS, { name: 'web' }),
    httpAnswer(503, '<html><title>Sorry</title></html>', '', true),
  ],
  [(client) => client.get(PODS, { name: 'web' }), httpAnswer(401, json(status(401)))],
  [(client) => client.version(), httpAnswer(200, json({ gitVersion: 'v1.35.0' }))],
  [(client) => client.self(), httpAnswer(200, json({ status: { userInfo: { username: 'ann' } } }))],
  [
    (client) => client.review({ verb: 'get', group: '', resource: 'pods' }),
    httpAnswer(200, json({ status: { allowed: true } })),
  ],
];

/**
 * Damages the whole answer, including its head and framing, or only the text inside, so that the framing stays valid.
 */
function harm(whole: Buffer, how: Damage, inside: boolean): Buffer {
  const start = whole.indexOf('\r\n\r\n') + 4;
  const head = whole.toString('latin1', 0, start);
  if (!inside || !head.includes('Content-Length')) return damaged(whole, how);
  const body = damaged(whole.subarray(start), how);
  return Buffer.concat([
    Buffer.from(head.replace(/Content-Length: \d+/, `Content-Length: ${body.length}`)),
    body,
  ]);
}

test(
  `any answer of a cluster is a result or an error of its kind, and comes to an end (${FUZZED})`,
  async () => {
    const kinds = new Map<string, number>();
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    const answer = fc.record({
      how: damage,
      inside: fc.boolean(),
      reset: fc.boolean(),
      chunkBytes: fc.constantFrom(1, 7, 100, 65_536),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...EXCHANGES),
        fc.array(answer, { minLength: 1, maxLength: 3 }),
        async ([ask, whole], answers) => {
          let asked = 0;
          const { client, clock } = bytesClient(() => {
            // Repeats the last answer again and again.
            const { how, inside, reset, chunkBytes } = answers[Math.min(asked++, answers.length - 1)]!;
            return { bytes: harm(whole, how, inside), reset, chunkBytes };
          });
          let kind = 'result';
          try {
            await settle(clock, ask(client));
          } catch (error) {
            if (!(error instanceof KubeError)) throw error;
            kind = error.kind;
            const described = describeKubeError(error, client.cluster);
            if (!(described instanceof CodedError)) throw described;
            expect(JSON.stringify(described.data)).not.toMatch(
              /TypeError|is not a function|Cannot read prop/,
            );
          } finally {
            client.close();
          }
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          expect(asked).toBeLessThan(100);
          // One of two parallel requests may fail before the other is over.
          await runDown(clock);
          expect(unhandled).toEqual([]);
        },
      ),
      FUZZ,
    );
    process.off('unhandledRejection', onUnhandled);
    for (const kind of ['result', 'connection', 'protocol', 'not-found', 'gone'])
      expect(kinds.get(kind) ?? 0).toBeGreaterThan(30);
    expectCleanPrototypes('answers');
  },
  HANG_MS,
);
