import { KubeError } from '@logtool/kube/src/errors.ts';
import { kubeFailure } from '@logtool/kube/src/values/failures.ts';
import { expect, test } from 'vitest';
import { readFailureOf } from './read-failure.ts';

test.each([
  ['the code of a system', { kind: 'connection', code: 'ECONNREFUSED' }, 'unreachable'],
  ['no code at all', { kind: 'server', status: 500 }, 'server-error'],
  ['a status', { kind: 'too-many-requests', status: 429 }, 'too-many-requests'],
  ['a certificate', { kind: 'tls', code: 'CERT_HAS_EXPIRED' }, 'tls'],
] as const)('an error of the client with %s has a code of the contract', (_, fields, code) => {
  expect(readFailureOf(new KubeError({ message: '', ...fields }))).toBe(code);
});

test('a failure with a code has the meaning of this code', () => {
  expect(readFailureOf(kubeFailure('exec-plugin-failed', { problem: 'no-terminal', plugin: 'p' }))).toBe(
    'credentials',
  );
});

test('an error that is none of the client is unexpected', () => {
  expect(readFailureOf(Object.assign(new Error('gone'), { code: 'ENOENT' }))).toBe('unexpected');
});
