import type { KubeFailures } from '@logtool/kube/src/values/failures.ts';
import type { KubeProblem } from '@logtool/kube/src/values/problems.ts';
import { expect, test } from 'vitest';
import { kubeNoticeText } from './kube.ts';
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
  ['home', 'you named no file, KUBECONFIG is not set, and the default file does not exist'],
] as const)('a missing kubeconfig that %s names says who named it', (from, why) => {
  expect(of('kubeconfig-not-found', { files: ['/a', '/b'], from })).toEqual({
    what: 'no kubeconfig at /a, /b',
    why,
    next: 'name a kubeconfig with --kubeconfig or KUBECONFIG; inside a pod, use --in-cluster',
  });
});

test('asks for the permission to read a kubeconfig, and for another file if it is unreadable', () => {
  const next = (isForbidden: boolean) =>
    of('kubeconfig-unreadable', { file: '/k', why: 'x', isForbidden }).next;
  expect(next(true)).toBe('give yourself permission to read the file, or name another one with --kubeconfig');
  expect(next(false)).toBe('name another file with --kubeconfig');
});

test.each<[KubeFailures['bad-credentials'], string]>([
  [{ field: 'as' }, 'logtool cannot send the as'],
  [{ field: 'status.token' }, 'logtool cannot send the token of the credential plugin'],
  [{ field: 'token', file: '/run/token' }, 'logtool cannot send the token in /run/token'],
])('credentials that no header can hold are named: %j', (data, what) => {
  expect(of('bad-credentials', data).what).toBe(what);
});

test('data that is not base64 is named with its entry and file', () => {
  const data = { problem: 'not-base64', field: 'client-key-data', entry: 'ada', file: '/k' } as const;
  expect(of('bad-certificate-data', data).what).toBe('logtool cannot read the client-key-data of ada in /k');
});

test('what a plugin or an issuer does wrong is named', () => {
  const missing = { plugin: 'login', path: '/nowhere', installHint: '' };
  expect(of('exec-plugin-missing', missing)).toEqual({
    what: 'cannot find the credential plugin login',
    why: 'it is in none of the folders of PATH (/nowhere)',
    next: 'install login, or add its folder to PATH',
  });
  expect(of('exec-plugin-missing', { ...missing, installHint: 'brew install it' }).next).toBe(
    'brew install it',
  );
  expect(of('exec-plugin-missing', { ...missing, file: '/bin/login' }).why).toBe(
    'there is no file /bin/login',
  );
  const why = { end: 'exit', exitCode: 3, printed: 'token has expired, log in' } as const;
  expect(of('exec-plugin-failed', { problem: 'run', plugin: 'login', command: 'login', why }).why).toBe(
    'it ended with exit code 3: token has expired, log in',
  );
  const refreshed = (problem: KubeProblem) =>
    of('oidc-refresh-failed', { issuer: 'https://i', why: problem }).why;
  expect(refreshed({ code: 'id-token-expired', data: {} })).toBe(
    'the id-token has expired, and there is no refresh-token',
  );
  expect(refreshed({ code: 'no-id-token', data: {} })).toContain('no id_token');
  expect(refreshed({ code: 'issuer-answered', data: { status: 502 } })).toContain('HTTP 502');
  expect(kubeNoticeText({ code: 'exec-plugin-slow', data: { plugin: './plugin' } })).toBe(
    'waiting for the credential plugin ./plugin, which has printed nothing yet; Ctrl-C stops it',
  );
});

test('what a proxy answers is named', () => {
  const refused = (problem: KubeProblem) =>
    of('proxy-refused', { proxy: 'p', target: 't', from: 'proxy-url', why: problem }).why;
  expect(refused({ code: 'socks-login-refused', data: {} })).toBe('it does not accept the user and password');
  expect(refused({ code: 'socks-reply', data: { reply: 2 } })).toBe('its rules do not allow the connection');
  expect(refused({ code: 'proxy-answered', data: { status: '407 Authentication Required' } })).toBe(
    'it answered 407 Authentication Required',
  );
});

test.each([
  ['gcp', /gke-gcloud-auth-plugin/],
  ['azure', /kubelogin/],
  ['openstack', /exec plugin/],
  ['', /exec plugin/],
])('the removed auth-provider %s comes with what replaces it', (provider, next) => {
  expect(of('auth-provider-removed', { provider }).next).toMatch(next);
});

test('an unknown context lists those that exist, and the near one', () => {
  const data = {
    context: 'secnd',
    files: ['/k'],
    isCurrent: false,
    contexts: { names: ['both', 'second'], more: 0 },
  };
  expect(of('unknown-context', { ...data, near: 'second' })).toMatchObject({
    why: 'the contexts are both, second',
    next: 'did you mean --kube-context second?',
  });
  expect(of('unknown-context', data).next).toBe('choose one of them with --kube-context');
});

test('a code without a message is shown with its data', () => {
  expect(messageOf({ code: 'of-a-later-version', data: { at: 1 } })).toEqual({
    what: 'of-a-later-version',
    why: '{"at":1}',
  });
});
