import type { KubeFailures } from '@logtool/kube/src/values/failures.ts';
import { expect, test } from 'vitest';
import { messageOf } from './worded.ts';

const of = <C extends keyof KubeFailures>(code: C, data: KubeFailures[C]) => messageOf({ code, data });

test('a kubeconfig that is not valid is named with its line', () => {
  const data = { file: '/k', line: 7, why: 'contexts[1].context.cluster should be text, not a list' };
  expect(of('kubeconfig-invalid', data)).toEqual({
    what: 'kubeconfig /k is not valid (line 7)',
    why: 'contexts[1].context.cluster should be text, not a list',
    next: 'correct the file, or name another one with --kubeconfig',
  });
  expect(of('kubeconfig-invalid', { file: '/k', why: 'x' }).what).toBe('kubeconfig /k is not valid');
});

test.each([
  ['explicit', 'the file that you named does not exist'],
  ['KUBECONFIG', 'the KUBECONFIG environment variable names only files that do not exist'],
  ['home', 'no file was named, KUBECONFIG is not set, and the default file does not exist'],
] as const)('a missing kubeconfig that %s names says who named it', (from, why) => {
  expect(of('kubeconfig-not-found', { files: ['/a', '/b'], from })).toEqual({
    what: 'no kubeconfig at /a, /b',
    why,
    next: 'name a kubeconfig with --kubeconfig or KUBECONFIG; inside a pod, use --in-cluster',
  });
});

test('a kubeconfig that may not be read asks for the permission, one that cannot be read for another file', () => {
  const next = (isForbidden: boolean) =>
    of('kubeconfig-unreadable', { file: '/k', why: 'x', isForbidden }).next;
  expect(next(true)).toBe('give yourself the right to read the file, or name another one with --kubeconfig');
  expect(next(false)).toBe('name another file with --kubeconfig');
});

test('a code without a message is shown with its data', () => {
  expect(messageOf({ code: 'of-a-later-version', data: { at: 1 } })).toEqual({
    what: 'of-a-later-version',
    why: '{"at":1}',
  });
});
