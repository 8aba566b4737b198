import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startClient } from '../../../../test/support/tls-server/start-client.ts';

/** Reviews that a real extension API server has sent, and what a real API server answered. */
interface Recorded {
  readonly request: { readonly spec: { readonly user: string; readonly resourceAttributes: object } };
  readonly response: object;
}

function recorded(name: string): Recorded {
  const path = join(import.meta.dirname, `../../../../test/recorded/aggregation/${name}.json`);
  return JSON.parse(JSON.parse(readFileSync(path, 'utf8')).response.body);
}

async function clientOf(response: unknown) {
  const bodies: unknown[] = [];
  const { client, server } = await startClient(async (request, answer) => {
    bodies.push(JSON.parse((await buffer(request)).toString()));
    answer.setHeader('content-type', 'application/json').writeHead(201).end(JSON.stringify(response));
  });
  return { client, server, bodies };
}

const LOG = {
  group: '',
  resource: 'pods',
  subresource: 'log',
  verb: 'get',
  namespace: 'truth',
  name: 'steady',
};

test.each([
  ['sar-named', true],
  ['sar-denied', false],
])('asks %s as recorded, and reads the verdict', async (name, isAllowed) => {
  const { request, response } = recorded(name);
  const { client, server, bodies } = await clientOf(response);
  const { resourceAttributes, ...subject } = request.spec;
  const identity = { uid: '', groups: [], extra: {}, ...subject };
  expect(await client.reviewSubject(identity, LOG)).toBe(isAllowed);
  expect(server.requests).toEqual(['POST /apis/authorization.k8s.io/v1/subjectaccessreviews']);
  expect(bodies).toEqual([
    { ...request, spec: { ...subject, resourceAttributes: { ...resourceAttributes, group: '' } } },
  ]);
});

const ANYBODY = { user: 'jane', uid: '', groups: [], extra: {} };

test('no verdict is a failure, never a yes', async () => {
  for (const response of [{}, { status: {} }, { status: { allowed: 'true' } }, []]) {
    const { client } = await clientOf(response);
    await expect(client.reviewSubject(ANYBODY, LOG)).rejects.toMatchObject({ kind: 'protocol' });
  }
});

test('a verdict that denies as well as allows is a no', async () => {
  const { client } = await clientOf({ status: { allowed: true, denied: true } });
  expect(await client.reviewSubject(ANYBODY, LOG)).toBe(false);
});

test('reads whose token it is', async () => {
  const { response } = recorded('tokenreview-audience-right');
  const { client, server, bodies } = await clientOf(response);
  expect(await client.reviewToken('abc', 'logtool-api')).toEqual({
    user: 'system:serviceaccount:truth:logtool-api',
    uid: 'd8c17197-6791-4a99-af5a-22de41fd4371',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:truth', 'system:authenticated'],
    extra: {
      'authentication.kubernetes.io/credential-id': ['JTI=24de0d18-c471-487d-be0f-8df78336e9cc'],
      'authentication.kubernetes.io/node-name': ['node1'],
      'authentication.kubernetes.io/node-uid': ['d45759be-4f7b-48af-8bd9-a676b8c91446'],
      'authentication.kubernetes.io/pod-name': ['logtool-api-7d758848c9-655n2'],
      'authentication.kubernetes.io/pod-uid': ['92c47756-1e7b-4bdd-b626-63b668db0bf8'],
    },
  });
  expect(server.requests).toEqual(['POST /apis/authentication.k8s.io/v1/tokenreviews']);
  expect(bodies).toMatchObject([{ kind: 'TokenReview', spec: { token: 'abc', audiences: ['logtool-api'] } }]);
  expect(await client.reviewToken('abc', 'other')).toBeUndefined();
});

test('a token is nobody’s if the server refuses it or names no audience', async () => {
  const user = { username: 'jane' };
  for (const response of [
    recorded('tokenreview-audience-wrong').response,
    { status: { authenticated: true, user } },
    { status: { authenticated: true, audiences: ['logtool-api'], user: {} } },
    { status: { authenticated: 'true', audiences: ['logtool-api'], user } },
  ]) {
    const { client } = await clientOf(response);
    expect(await client.reviewToken('abc', 'logtool-api')).toBeUndefined();
  }
  const { client } = await clientOf({});
  await expect(client.reviewToken('abc', 'logtool-api')).rejects.toMatchObject({ kind: 'protocol' });
});
