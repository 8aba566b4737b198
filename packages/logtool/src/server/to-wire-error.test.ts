import { KubeError } from '@logtool/kube/src/errors.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { expect, test } from 'vitest';
import { onPage } from '../../../../test/support/on-page.ts';
import { WireError } from '../contract/error.ts';
import { statusOf } from './answer-failure.ts';
import { toWireError } from './to-wire-error.ts';

const cluster = { context: 'shop', server: 'https://shop.example', namespace: 'web', user: 'ann' };
const refusal = new KubeError({
  kind: 'forbidden',
  status: 403,
  message:
    'pods "web-0" is forbidden: User "ann" cannot get resource "pods/log" in API group "" in the namespace "web"',
  details: { name: 'web-0', causes: [] },
});

test('a refusal says which right is missing and how to check it, however deep it lies', () => {
  const denied = {
    verb: 'get',
    resource: 'pods/log',
    namespace: 'web',
    name: 'web-0',
    check: 'kubectl auth can-i get pods/web-0 --subresource=log -n web',
  };
  const around = new CodedError(
    'forbidden',
    { why: 'no' },
    { cause: new Error('between', { cause: refusal }) },
  );
  expect(toWireError(refusal, cluster)).toMatchObject({ code: 'forbidden', denied });
  expect(toWireError(around)).toMatchObject({ code: 'forbidden', data: { why: 'no' }, denied });
  expect(statusOf(refusal)).toBe(403);
});

test('a group goes with its resource', () => {
  const message =
    'deployments.apps is forbidden: User "ann" cannot list resource "deployments" in API group "apps" at the cluster scope';
  expect(toWireError(new KubeError({ kind: 'forbidden', message }), cluster).denied).toEqual({
    verb: 'list',
    resource: 'deployments.apps',
    check: 'kubectl auth can-i list deployments.apps --all-namespaces',
  });
});

test('a failure without a right has none', () => {
  const error = new KubeError({ kind: 'connection', message: 'refused', code: 'ECONNREFUSED' });
  expect(toWireError(error, cluster)).not.toHaveProperty('denied');
  expect(toWireError(new KubeError({ kind: 'forbidden', message: 'no' }), cluster)).not.toHaveProperty(
    'denied',
  );
});

test('words the next step for a person at the page', () => {
  const absent = new KubeError({ kind: 'not-found', status: 404, message: 'pods "x" not found' });
  for (const kind of ['not-found', 'too-many-requests', 'server'] as const)
    expect(onPage(toWireError(new KubeError({ kind, message: 'no' }), cluster)).next).not.toMatch(
      /(^|\s)--?\w/,
    );
  expect(onPage(toWireError(absent, cluster)).next).not.toMatch(/(^|\s)--?\w/);
});

test("reveals nothing of a defect's internals", () => {
  const wire = toWireError(new TypeError('x of undefined at /home/ann/secret.ts:3'));
  expect(WireError.parse(wire)).toEqual(wire);
  expect(JSON.stringify(wire)).not.toMatch(/undefined|secret/);
  expect(statusOf(new TypeError('x'))).toBe(500);
});

test.each([
  ['unauthorized', 502],
  ['forbidden', 403],
  ['not-found', 404],
  ['too-many-requests', 429],
  ['connection', 502],
] as const)("a cluster's %s is answered with %i", (kind, status) => {
  const error = new KubeError({ kind, message: 'no' });
  expect([statusOf(error), statusOf(new CodedError('x', {}, { cause: error }))]).toEqual([status, status]);
});
