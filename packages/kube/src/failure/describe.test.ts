import { expect, test } from 'vitest';
import { kubeFailed } from '../../../../test/support/coded.ts';
import { loadRecording } from '../../../../test/support/tls-server/recorded.ts';
import { KubeError, type KubeErrorInit, type RequestSubject } from '../errors.ts';
import { CodedError } from '../values/coded-error.ts';
import type { KubeFailures } from '../values/failures.ts';
import { describeKubeError } from './describe.ts';
import { errorFromAnswer } from './status.ts';

const SERVER = 'https://api.example.com:6443';
const CLUSTER = { context: 'prod', server: SERVER, namespace: 'shop', user: 'ada' };
/** The data that every failure on the way to the cluster includes. */
const WAY = { server: SERVER, context: 'prod', user: 'ada' };

/** Expects that the error is described by this code with all of this data. */
function expectDescribed<C extends keyof KubeFailures>(error: unknown, code: C, data: KubeFailures[C]): void {
  expect(describeKubeError(error, CLUSTER)).toEqual(kubeFailed(code, data));
}

function failure(fields: Partial<KubeErrorInit>): KubeError {
  return new KubeError({ kind: 'connection', message: 'connect failed', ...fields });
}

function recorded(name: string, request: RequestSubject): KubeError {
  const { response } = loadRecording(name);
  return errorFromAnswer(response.status, response.body ?? '', request);
}

test('the check of a right acts as the one who is acted as, and a token in place of the kubeconfig is known', () => {
  const request: RequestSubject = { verb: 'get', resource: 'pods', namespace: 'shop', name: 'web-0' };
  const refused = new KubeError({ kind: 'forbidden', message: 'pods "web-0" is forbidden', request });
  expect(describeKubeError(refused, { ...CLUSTER, asFlags: ' --as alice --as-group dev' })).toEqual(
    kubeFailed('forbidden', {
      request,
      right: { ...request, singular: 'pod' },
      why: 'pods "web-0" is forbidden',
      check: 'kubectl auth can-i get pods/web-0 -n shop --as alice --as-group dev',
    }),
  );
  const unknown = new KubeError({ kind: 'unauthorized', message: 'Unauthorized' });
  expect(describeKubeError(unknown, { ...CLUSTER, hasOwnToken: true })).toEqual(
    kubeFailed('unauthorized', { ...WAY, why: 'Unauthorized', hasOwnToken: true }),
  );
});

test('a server where nothing listens', () => {
  expectDescribed(failure({ code: 'ECONNREFUSED' }), 'unreachable', {
    ...WAY,
    why: 'connect failed',
    host: 'api.example.com:6443',
    problem: 'refused',
  });
});

test('a server with an unknown name', () => {
  expectDescribed(failure({ code: 'ENOTFOUND' }), 'dns', {
    ...WAY,
    why: 'connect failed',
    hostname: 'api.example.com',
    systemCode: 'ENOTFOUND',
  });
});

test('a server that does not answer', () => {
  const message = 'no connection to api.example.com:6443 within 10 s';
  expectDescribed(failure({ code: 'ETIMEDOUT', message }), 'unreachable', {
    ...WAY,
    why: message,
    host: 'api.example.com:6443',
    problem: 'silent',
  });
});

test('a connection that breaks', () => {
  const error = failure({ code: 'ECONNRESET', message: 'read ECONNRESET' });
  expectDescribed(error, 'connection-lost', { ...WAY, why: 'read ECONNRESET' });
});

test.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls-unknown-authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-unknown-authority'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-wrong-host'],
  ['CERT_HAS_EXPIRED', 'tls-expired'],
  ['CERT_NOT_YET_VALID', 'tls-not-yet-valid'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls-no-tls'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls-client-certificate'],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'tls-no-http1'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls-version'],
  ['ERR_SSL_SOMETHING_NEW', 'tls'],
] as const)('TLS failure %s is %s', (code, name) => {
  expectDescribed(failure({ kind: 'tls', code, message: 'said openssl' }), name, {
    ...WAY,
    why: 'said openssl',
    tlsCode: code,
    isMissing: name === 'tls-client-certificate',
  });
});

test('credentials that are refused', () => {
  const error = recorded('errors/bad-token', { verb: 'list', resource: 'pods', namespace: 'shop' });
  expectDescribed(error, 'unauthorized', { ...WAY, why: 'Unauthorized', hasOwnToken: false });
});

test('a right that is missing for a whole namespace', () => {
  const request = { verb: 'list', resource: 'deployments.apps', namespace: 'shop' };
  const error = recorded('rbac/named-only-deployments', request);
  expectDescribed(error, 'forbidden', {
    request,
    right: { ...request, singular: 'deployment.apps', scope: 'namespace' },
    why: error.message,
    check: 'kubectl auth can-i list deployments.apps -n shop',
  });
});

test('a right that is missing for a name, which may not exist at all', () => {
  const request = { verb: 'get', resource: 'pods', namespace: 'shop', name: 'ghost' };
  const error = recorded('rbac/named-only-get-ghost', request);
  expectDescribed(error, 'forbidden', {
    request,
    right: { ...request, singular: 'pod' },
    why: error.message,
    check: 'kubectl auth can-i get pods/ghost -n shop',
  });
});

test('a right that is missing for the log of a pod', () => {
  const request = { verb: 'get', resource: 'pods', subresource: 'log', namespace: 'shop', name: 'db-1' };
  const error = recorded('rbac/named-only-log-db-1', request);
  expectDescribed(error, 'forbidden', {
    request,
    right: { ...request, singular: 'pod' },
    why: error.message,
    check: 'kubectl auth can-i get pods/db-1 --subresource=log -n shop',
  });
});

test('a right that is missing in the whole cluster', () => {
  const request = { verb: 'list', resource: 'nodes' };
  const error = recorded('rbac/named-only-nodes', request);
  expectDescribed(error, 'forbidden', {
    request,
    right: { ...request, singular: 'node' },
    why: error.message,
    check: 'kubectl auth can-i list nodes --all-namespaces',
  });
});

test.each([
  [
    { verb: 'list', resource: 'pods' },
    { singular: 'pod', scope: 'all-namespaces' },
    'list pods --all-namespaces',
  ],
  [
    { verb: 'get', resource: 'nodes', name: 'node-a' },
    { singular: 'node' },
    'get nodes/node-a --all-namespaces',
  ],
  [
    { verb: 'delete', resource: 'jobs.batch', namespace: 'shop', name: 'a' },
    { singular: 'job.batch' },
    'delete jobs.batch/a -n shop',
  ],
  [
    { verb: 'list', resource: 'statuses.example.com' },
    { scope: 'cluster' },
    'list statuses.example.com --all-namespaces',
  ],
  [
    { verb: 'get', resource: 'statuses.example.com', name: 'a' },
    {},
    'get statuses.example.com/a --all-namespaces',
  ],
] as const)('a right has the scope that is known of it: %j', (request, known, check) => {
  const error = failure({ kind: 'forbidden', status: 403, message: 'denied by policy 7', request });
  expectDescribed(error, 'forbidden', {
    request,
    right: { ...request, ...known },
    why: 'denied by policy 7',
    check: `kubectl auth can-i ${check}`,
  });
});

test('an impersonation that is refused names that right, not the one asked for', () => {
  const request = { verb: 'list', resource: 'pods', namespace: 'shop' };
  const error = recorded('errors/impersonation-403', request);
  expect(describeKubeError(error, { ...CLUSTER, asFlags: ' --as admin' })).toEqual(
    kubeFailed('forbidden', {
      request,
      right: { verb: 'impersonate', resource: 'users', name: 'admin', singular: 'user' },
      why: error.message,
      check: 'kubectl auth can-i impersonate users/admin --all-namespaces',
    }),
  );
});

test('a request without credentials', () => {
  const request = { verb: 'list', resource: 'pods', namespace: 'shop' };
  const error = recorded('errors/anonymous', request);
  expectDescribed(error, 'forbidden-anonymous', {
    right: { ...request, singular: 'pod', scope: 'namespace' },
    why: error.message,
  });
});

test.each([
  'services "web" is forbidden: exceeded quota: few, requested: services=1, used: services=1, limited: services=1',
  'pods "web" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
  'admission webhook "policy.example.com" denied the request: no label team',
])('what a quota or a policy refuses is no missing right: %s', (message) => {
  const request = { verb: 'patch', resource: 'services', namespace: 'shop', name: 'web' };
  const error = failure({ kind: 'forbidden', status: 403, message, request });
  expectDescribed(error, 'not-admitted', { request, why: message });
});

test('a namespace that is on its way out is named as such', () => {
  const error = failure({
    kind: 'forbidden',
    status: 403,
    message:
      'secrets "a" is forbidden: unable to create new content in namespace shop because it is being terminated',
    request: { verb: 'create', resource: 'secrets', namespace: 'shop' },
  });
  expectDescribed(error, 'namespace-leaving', { namespace: 'shop' });
});

test('a refusal in words of its own (a webhook, a proxy) still names the right that was asked for', () => {
  const request = { verb: 'watch', resource: 'pods', namespace: 'shop' };
  const error = failure({ kind: 'forbidden', status: 403, message: 'denied by policy 7', request });
  expectDescribed(error, 'forbidden', {
    request,
    right: { ...request, singular: 'pod', scope: 'namespace' },
    why: 'denied by policy 7',
    check: 'kubectl auth can-i watch pods -n shop',
  });
});

test('a field that the cluster cannot select by is known as such', () => {
  const request = { verb: 'list', resource: 'pods', namespace: 'shop' };
  const message = 'field label not supported: foo';
  const error = failure({ kind: 'bad-request', status: 400, message, request });
  expectDescribed(error, 'refused-request', {
    request,
    server: SERVER,
    why: `${message} (400)`,
    isUnknownField: true,
  });
});

test('an object that does not exist', () => {
  const request = { verb: 'get', resource: 'pods', namespace: 'shop', name: 'ghost' };
  const error = recorded('errors/pod-404', request);
  expectDescribed(error, 'not-found', { request, server: SERVER, why: `${error.message} (404)` });
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
    const request = { verb: 'list', resource: 'pods' };
    const error = failure({ kind, status, message: 'the words', request });
    const why = status === undefined ? 'the words' : `the words (${status})`;
    const more = code === 'refused-request' ? { isUnknownField: false } : {};
    expect(describeKubeError(error, CLUSTER)).toEqual(
      expect.objectContaining({ code, data: { request, server: SERVER, why, ...more }, exit: 'failure' }),
    );
  },
);

test('keeps an error that already has a code, also as a cause', () => {
  const own = new CodedError('exec-plugin-failed', { problem: 'no-terminal', plugin: 'login' });
  expect(describeKubeError(own, CLUSTER)).toBe(own);
  expect(describeKubeError(failure({ kind: 'credentials', cause: own }), CLUSTER)).toBe(own);
});

test('a defect does not blame the cluster', () => {
  expectDescribed(new TypeError('boom'), 'unexpected', { server: SERVER, why: 'boom', isDefect: true });
});

test('every line is one line', () => {
  const error = failure({ kind: 'server', status: 500, message: 'first\nsecond\r\nthird' });
  expectDescribed(error, 'server-error', { server: SERVER, why: 'first second third (500)' });
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
  expectDescribed(error, 'forbidden', {
    right: { verb: 'get', resource: 'pods', namespace: 'a; rm -rf ~', singular: 'pod', scope: 'namespace' },
    why: `${message} [2J`,
    check: "kubectl auth can-i get pods -n 'a; rm -rf ~'",
  });
});

test.each([
  ['errors/path-404', 'the server could not find the requested resource (404)'],
  ['errors/root-404', '404 page not found'],
])('distinguishes a path that the server does not serve (%s) from an absent object', (name, why) => {
  const request = { verb: 'get', resource: 'pods', namespace: 'shop', name: 'web' };
  expectDescribed(recorded(name, request), 'not-found', {
    missing: 'api',
    request,
    server: SERVER,
    context: 'prod',
    why,
  });
});

test('distinguishes a refused path from a missing permission', () => {
  const request = { verb: 'get', resource: 'pods', namespace: 'shop', name: 'web' };
  const message = 'forbidden: User "ada" cannot get path "/k8s/c-1/api/v1/namespaces/shop/pods/web"';
  expectDescribed(failure({ kind: 'forbidden', status: 403, message, request }), 'forbidden', {
    missing: 'api',
    request,
    server: SERVER,
    context: 'prod',
    why: `${message} (403)`,
  });
});

test('a plain http address whose server breaks off is named as it is', () => {
  const server = 'http://api.example.com:6443';
  const error = failure({ code: 'ECONNRESET', message: 'socket hang up' });
  expect(describeKubeError(error, { ...CLUSTER, server })).toEqual(
    kubeFailed('connection-lost', { ...WAY, server, why: 'socket hang up' }),
  );
});

test('reports only the reason of a line of OpenSSL', () => {
  const message =
    '804C65F1687F0000:error:0A000438:SSL routines:ssl3_read_bytes:tlsv1 alert internal error:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:1601:SSL alert number 80';
  const code = 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR';
  const data = { ...WAY, why: 'tlsv1 alert internal error', tlsCode: code, isMissing: false };
  expectDescribed(failure({ kind: 'tls', code, message }), 'tls', data);
});

test('a 401 without a word has no words', () => {
  const error = errorFromAnswer(401, '', undefined);
  expectDescribed(error, 'unauthorized', { ...WAY, why: '', hasOwnToken: false });
});

test('a redirect says where to', () => {
  const problem = { code: 'redirect', data: { status: 302, location: 'https://sso.example' } } as const;
  expectDescribed(failure({ kind: 'http', status: 302, problem }), 'http-error', {
    server: SERVER,
    why: problem,
  });
});
