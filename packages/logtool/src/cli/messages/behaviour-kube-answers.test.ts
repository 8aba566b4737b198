import { KubeError, type KubeErrorInit, type RequestSubject } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { errorFromAnswer } from '@logtool/kube/src/failure/status.ts';
import { expect, test } from 'vitest';
import { loadRecording } from '../../../../../test/support/tls-server/recorded.ts';
import { withMessage } from '../../../../../test/support/with-message.ts';
import { LogtoolError } from './logtool-error.ts';

const CLUSTER = {
  context: 'prod',
  server: 'https://api.example.com:6443',
  namespace: 'shop',
  user: 'ada',
};

function texts(error: unknown): string[] {
  const described = withMessage(describeKubeError(error, CLUSTER));
  expect(described).toBeInstanceOf(LogtoolError);
  expect(described.exit).toBe('failure');
  return [described.code, described.what, described.why ?? '', described.next ?? ''];
}

function failure(fields: Partial<KubeErrorInit>): KubeError {
  return new KubeError({ kind: 'connection', message: 'connect failed', ...fields });
}

function recorded(name: string, request: RequestSubject): KubeError {
  const { response } = loadRecording(name);
  return errorFromAnswer(response.status, response.body ?? '', request);
}

test('advice holds for the one who is acted as, and for a token in place of the kubeconfig', () => {
  const request: RequestSubject = { verb: 'get', resource: 'pods', namespace: 'shop', name: 'web-0' };
  const refused = new KubeError({ kind: 'forbidden', message: 'pods "web-0" is forbidden', request });
  expect(
    withMessage(describeKubeError(refused, { ...CLUSTER, asFlags: ' --as alice --as-group dev' })).next,
  ).toMatch(/kubectl auth can-i get pods\/web-0 -n shop --as alice --as-group dev$/);
  const unknown = new KubeError({ kind: 'unauthorized', message: 'Unauthorized' });
  const { what, next } = withMessage(describeKubeError(unknown, { ...CLUSTER, hasOwnToken: true }));
  expect([what, next]).toEqual([
    'the cluster does not accept the token',
    'give another token with --token, or leave it out to use the kubeconfig',
  ]);
});

test('a server where nothing listens', () => {
  expect(texts(failure({ code: 'ECONNREFUSED' }))).toEqual([
    'unreachable',
    'cannot reach the cluster at https://api.example.com:6443',
    'nothing listens at api.example.com:6443 (connection refused)',
    'check that the cluster runs and that the server address of context "prod" is right',
  ]);
});

test('a server with an unknown name', () => {
  expect(texts(failure({ code: 'ENOTFOUND' }))).toEqual([
    'dns',
    'cannot reach the cluster at https://api.example.com:6443',
    'this machine cannot resolve api.example.com (ENOTFOUND)',
    'check the server address of context "prod", and the network or VPN that knows the name',
  ]);
});

test('a server that does not answer', () => {
  const message = 'no connection to api.example.com:6443 within 10 s';
  expect(texts(failure({ code: 'ETIMEDOUT', message }))).toEqual([
    'unreachable',
    'cannot reach the cluster at https://api.example.com:6443',
    `api.example.com:6443 does not answer: ${message}`,
    'check the network, the VPN, the proxy and firewall rules between here and the cluster',
  ]);
});

test('a connection that breaks', () => {
  expect(texts(failure({ code: 'ECONNRESET', message: 'read ECONNRESET' })).slice(0, 3)).toEqual([
    'connection-lost',
    'the connection to the cluster at https://api.example.com:6443 broke',
    'read ECONNRESET',
  ]);
});

test.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls-unknown-authority', 'certificate-authority-data'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-unknown-authority', 'certificate-authority-data'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-wrong-host', 'tls-server-name'],
  ['CERT_HAS_EXPIRED', 'tls-expired', 'renew the certificate'],
  ['CERT_NOT_YET_VALID', 'tls-not-yet-valid', 'clock'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls-no-tls', 'http://'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls-client-certificate', 'client-certificate-data'],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'tls-no-http1', 'HTTP/1.1'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls-version', 'update the API server'],
  ['ERR_SSL_SOMETHING_NEW', 'tls', 'certificates of'],
])('TLS failure %s is %s', (code, name, hint) => {
  const [described, what, why, next] = texts(failure({ kind: 'tls', code, message: 'said openssl' }));
  expect(described).toBe(name);
  expect(what).toBe('no secure connection to the cluster at https://api.example.com:6443');
  expect(why).not.toBe('');
  expect(next).toContain(hint);
});

test('credentials that are refused', () => {
  const error = recorded('errors/bad-token', { verb: 'list', resource: 'pods', namespace: 'shop' });
  expect(texts(error)).toEqual([
    'unauthorized',
    'the cluster does not accept the credentials of user "ada"',
    'https://api.example.com:6443 answered 401 Unauthorized: they are expired, revoked or for another cluster',
    'log in again, then check with: kubectl auth whoami --context prod',
  ]);
});

test('a right that is missing for a whole namespace', () => {
  const error = recorded('rbac/named-only-deployments', {
    verb: 'list',
    resource: 'deployments.apps',
    namespace: 'shop',
  });
  expect(texts(error)).toEqual([
    'forbidden',
    'you lack permission to list deployments.apps in namespace shop',
    error.message,
    'check with: kubectl auth can-i list deployments.apps -n shop',
  ]);
});

test('a right that is missing for a name, which may not exist at all', () => {
  const error = recorded('rbac/named-only-get-ghost', {
    verb: 'get',
    resource: 'pods',
    namespace: 'shop',
    name: 'ghost',
  });
  expect(texts(error)).toEqual([
    'forbidden',
    'you lack permission to get pod ghost in namespace shop',
    `${error.message}; the cluster answers the same if the object does not exist and your permissions name others`,
    'check the name, and your permission with: kubectl auth can-i get pods/ghost -n shop',
  ]);
});

test('a right that is missing for the log of a pod', () => {
  const error = recorded('rbac/named-only-log-db-1', {
    verb: 'get',
    resource: 'pods',
    subresource: 'log',
    namespace: 'shop',
    name: 'db-1',
  });
  const [, what, , next] = texts(error);
  expect(what).toBe('you lack permission to get the log of pod db-1 in namespace shop');
  expect(next).toBe(
    'check the name, and your permission with: kubectl auth can-i get pods/db-1 --subresource=log -n shop',
  );
});

test('a right that is missing in the whole cluster', () => {
  const error = recorded('rbac/named-only-nodes', { verb: 'list', resource: 'nodes' });
  expect(texts(error).slice(1)).toEqual([
    'you lack permission to list nodes',
    error.message,
    'check with: kubectl auth can-i list nodes --all-namespaces',
  ]);
});

test.each([
  [{ verb: 'list', resource: 'pods' }, 'list pods in all namespaces'],
  [{ verb: 'get', resource: 'nodes', name: 'node-a' }, 'get node node-a'],
  [
    { verb: 'delete', resource: 'jobs.batch', namespace: 'shop', name: 'a' },
    'delete job.batch a in namespace shop',
  ],
  [{ verb: 'list', resource: 'statuses.example.com' }, 'list statuses.example.com in the whole cluster'],
  [{ verb: 'get', resource: 'statuses.example.com', name: 'a' }, 'get statuses.example.com "a"'],
])('a right is worded with the scope that is known of it: %j', (request, text) => {
  const error = failure({ kind: 'forbidden', status: 403, message: 'denied by policy 7', request });
  expect(texts(error)[1]).toBe(`you lack permission to ${text}`);
});

test('an impersonation that is refused names that right, not the one asked for', () => {
  const request = { verb: 'list', resource: 'pods', namespace: 'shop' };
  const error = recorded('errors/impersonation-403', request);
  const { what, next } = withMessage(describeKubeError(error, { ...CLUSTER, asFlags: ' --as admin' }));
  expect(what).toBe('you lack permission to impersonate user admin');
  expect(next).toBe(
    'check the name, and your permission with: kubectl auth can-i impersonate users/admin --all-namespaces',
  );
});

test('a request without credentials', () => {
  const error = recorded('errors/anonymous', { verb: 'list', resource: 'pods', namespace: 'shop' });
  expect(texts(error).slice(0, 2)).toEqual([
    'forbidden-anonymous',
    'logtool sent no credentials, and the cluster does not let anonymous users list pods in namespace shop',
  ]);
});

test.each([
  'services "web" is forbidden: exceeded quota: few, requested: services=1, used: services=1, limited: services=1',
  'pods "web" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
  'admission webhook "policy.example.com" denied the request: no label team',
])('what a quota or a policy refuses is no missing right: %s', (message) => {
  const request = { verb: 'patch', resource: 'services', namespace: 'shop', name: 'web' };
  expect(texts(failure({ kind: 'forbidden', status: 403, message, request }))).toEqual([
    'not-admitted',
    'the cluster does not admit services "web" in namespace "shop"',
    message,
    'you have the permission, but a quota or a policy refuses this: comply with it, or ask whoever administers the cluster',
  ]);
});

test('a namespace that is on its way out is named as such', () => {
  const error = failure({
    kind: 'forbidden',
    status: 403,
    message:
      'secrets "a" is forbidden: unable to create new content in namespace shop because it is being terminated',
    request: { verb: 'create', resource: 'secrets', namespace: 'shop' },
  });
  expect(texts(error)).toEqual([
    'namespace-leaving',
    'the namespace shop is being deleted; the cluster creates nothing in it',
    '',
    'wait until it is gone (kubectl get namespace shop), or choose another one',
  ]);
});

test('a refusal in words of its own (a webhook, a proxy) still names the right that was asked for', () => {
  const error = failure({
    kind: 'forbidden',
    status: 403,
    message: 'denied by policy 7',
    request: { verb: 'watch', resource: 'pods', namespace: 'shop' },
  });
  expect(texts(error)).toEqual([
    'forbidden',
    'you lack permission to watch pods in namespace shop',
    'denied by policy 7',
    'check with: kubectl auth can-i watch pods -n shop',
  ]);
});

test('a field that the cluster cannot select by comes with fields that it can', () => {
  const error = failure({
    kind: 'bad-request',
    status: 400,
    message: 'field label not supported: foo',
    request: { verb: 'list', resource: 'pods', namespace: 'shop' },
  });
  expect(texts(error)).toEqual([
    'refused-request',
    'the cluster refused the request for pods in namespace "shop"',
    'field label not supported: foo (400)',
    'use a field that the cluster can select by, such as status.phase or spec.nodeName',
  ]);
});

test('an object that does not exist', () => {
  const error = recorded('errors/pod-404', {
    verb: 'get',
    resource: 'pods',
    namespace: 'shop',
    name: 'ghost',
  });
  expect(texts(error)).toEqual([
    'not-found',
    'pods "ghost" in namespace "shop" was not found',
    `${error.message} (404)`,
    'check the name, and the namespace with -n',
  ]);
});

test.each([
  ['server', 503, 'server-error'],
  ['too-many-requests', 429, 'too-many-requests'],
  ['protocol', undefined, 'protocol-error'],
  ['gone', 410, 'gone'],
  ['conflict', 409, 'conflict'],
  ['bad-request', 422, 'refused-request'],
  ['http', 302, 'http-error'],
] as const)(
  'a failure of kind %s has its own code and keeps the words of the server',
  (kind, status, code) => {
    const error = failure({
      kind,
      status,
      message: 'the words',
      request: { verb: 'list', resource: 'pods' },
    });
    const [name, what, why] = texts(error);
    expect(name).toBe(code);
    expect(what).toContain(kind === 'protocol' ? CLUSTER.server : 'pods');
    expect(why).toContain('the words');
  },
);

test('an error of logtool itself does not blame the cluster', () => {
  const [code, what, why, next] = texts(new TypeError('boom'));
  expect([code, what, why]).toEqual(['unexpected', 'logtool failed unexpectedly', 'boom']);
  expect(next).toContain('--debug');
});

test('every line is one line', () => {
  const error = failure({ kind: 'server', status: 500, message: 'first\nsecond\r\nthird' });
  for (const text of texts(error)) expect(text).not.toMatch(/[\r\n]/);
});

test('what a server says cannot steer the terminal, nor the shell into which a line is copied', () => {
  const message =
    'pods "x" is forbidden: User "e" cannot get resource "pods" in API group "" in the namespace "a; rm -rf ~"';
  const error = failure({
    kind: 'forbidden',
    status: 403,
    message: `${message}\u001b[2J`,
    details: { causes: [] },
  });
  const [, , why, next] = texts(error);
  expect(why).not.toContain('\u001b');
  expect(next).toBe("check with: kubectl auth can-i get pods -n 'a; rm -rf ~'");
});

test.each([
  ['errors/path-404', 'the server could not find the requested resource (404)'],
  ['errors/root-404', '404 page not found'],
])('distinguishes a path that the server does not serve (%s) from an absent object', (name, why) => {
  const error = recorded(name, { verb: 'get', resource: 'pods', namespace: 'shop', name: 'web' });
  expect(texts(error)).toEqual([
    'not-found',
    'there is no API for pods "web" in namespace "shop" at https://api.example.com:6443',
    why,
    'check the server address of context "prod", also its path; kubectl api-resources lists the kinds',
  ]);
});

test('distinguishes a refused path from a missing permission', () => {
  const error = failure({
    kind: 'forbidden',
    status: 403,
    message: 'forbidden: User "ada" cannot get path "/k8s/c-1/api/v1/namespaces/shop/pods/web"',
    request: { verb: 'get', resource: 'pods', namespace: 'shop', name: 'web' },
  });
  const [code, what, , next] = texts(error);
  expect(code).toBe('forbidden');
  expect(what).toContain('there is no API for pods "web"');
  expect(next).toContain('server address of context "prod"');
});

test('a plain http address whose server breaks off may have to be an https one', () => {
  const error = failure({ code: 'ECONNRESET', message: 'socket hang up' });
  const described = withMessage(
    describeKubeError(error, { ...CLUSTER, server: 'http://api.example.com:6443' }),
  );
  expect(described.next).toContain('https://');
});

test('reports only the reason of a line of OpenSSL', () => {
  const message =
    '804C65F1687F0000:error:0A000438:SSL routines:ssl3_read_bytes:tlsv1 alert internal error:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:1601:SSL alert number 80';
  const error = failure({ kind: 'tls', code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', message });
  expect(texts(error)[2]).toBe('tlsv1 alert internal error');
});

test('a 401 without a word says its number once', () => {
  expect(texts(errorFromAnswer(401, '', undefined))[2]).toBe(
    'https://api.example.com:6443 answered 401: they are expired, revoked or for another cluster',
  );
});

test('a redirect says what to check', () => {
  const error = failure({
    kind: 'http',
    status: 302,
    problem: { code: 'redirect', data: { status: 302, location: 'https://sso.example' } },
  });
  expect(texts(error)[2]).toBe('the server redirects to https://sso.example (302)');
  expect(texts(error)[3]).toContain('is the address of a Kubernetes API server');
});
