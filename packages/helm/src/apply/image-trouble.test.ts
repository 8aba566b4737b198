import { expect, it } from 'vitest';
import { type ImageTrouble, isImageReason, patienceMs, pullCause } from './image-trouble.ts';

const IMAGE = 'ghcr.io/logtool/logtool:0.2.0';
const trouble = (cause: string, reason = 'ErrImagePull', image = IMAGE): ImageTrouble => ({
  image,
  reason,
  cause,
  container: 'app',
  pod: 'p',
  namespace: 'shop',
  isOld: false,
});

// Messages of containerd, CRI-O and registries, as kubelets forward them.
it.each([
  'ghcr.io/logtool/logtool:0.2.0: not found',
  'manifest unknown',
  'reading manifest 0.2.0 in ghcr.io/logtool/logtool: name unknown',
  'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
  'failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://ghcr.io/token?scope=x: 403 Forbidden',
  'failed to authorize: failed to fetch oauth token: unexpected status: 401 Unauthorized',
  'unauthorized: authentication required',
  'no basic auth credentials',
  'no match for platform in manifest: not found',
  'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  'http: server gave HTTP response to HTTPS client',
  'container has runAsNonRoot and image will run as root (pod: "x", container: app)',
])('no waiting helps: %s', (cause) => {
  expect(patienceMs(trouble(cause))).toBe(0);
});

it.each([
  'Head "https://ghcr.io/v2/": dial tcp: lookup ghcr.io: no such host',
  'Head "https://ghcr.io/v2/": dial tcp: lookup ghcr.io on 10.0.0.2:53: server misbehaving',
  'Head "https://ghcr.io/v2/": dial tcp 192.0.2.9:443: connect: connection refused',
  'Head "https://ghcr.io/v2/": dial tcp 192.0.2.9:443: i/o timeout',
  'Head "https://ghcr.io/v2/": net/http: TLS handshake timeout',
  'failed to copy: httpReadSeeker: failed open: EOF',
  'something that nobody has seen yet',
])('the kubelet may try again for a while: %s', (cause) => {
  expect(patienceMs(trouble(cause))).toBe(20_000);
});

it.each([
  'unexpected status from HEAD request to https://ghcr.io/v2/x/manifests/1: 429 Too Many Requests',
  'toomanyrequests: You have reached your unauthenticated pull rate limit',
  'unexpected status from HEAD request to https://ghcr.io/v2/x/manifests/1: 503 Service Unavailable',
])('the registry asks to come back: %s', (cause) => {
  expect(patienceMs(trouble(cause))).toBe(Number.POSITIVE_INFINITY);
});

it.each(['InvalidImageName', 'ErrImageNeverPull'])('%s needs a change, whatever the message', (reason) => {
  expect(patienceMs(trouble('connection refused', reason))).toBe(0);
});

it('does not take names and addresses for words of the registry', () => {
  const image = 'registry.lan:500/denied/not found:5.03';
  const cause = `Head "https://registry.lan:500/v2/denied/manifests/unauthorized": https://x509/denied ${image}: i/o timeout`;
  expect(patienceMs(trouble(cause, 'ErrImagePull', image))).toBe(20_000);
});

it('takes what kubelets say of every image away from what they say of this one', () => {
  const cause = 'Head "https://ghcr.io/v2/": dial tcp: lookup ghcr.io: no such host';
  const full = `failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": failed to do request: ${cause}`;
  expect(pullCause(full)).toBe(cause);
  expect(pullCause(`Back-off pulling image "${IMAGE}": ErrImagePull: ${full}`)).toBe(cause);
  expect(pullCause(`Failed to pull image "${IMAGE}": rpc error: code = Unknown desc = ${full}`)).toBe(cause);
  expect(pullCause(`Back-off pulling image "${IMAGE}"`)).toBe('');
});

it('knows the reasons that are about an image', () => {
  expect(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName'].every(isImageReason)).toBe(true);
  expect(['CrashLoopBackOff', 'ContainerCreating', 'CreateContainerConfigError'].some(isImageReason)).toBe(
    false,
  );
});
