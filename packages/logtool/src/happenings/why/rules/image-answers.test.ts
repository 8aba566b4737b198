import { expect, test } from 'vitest';
import { registryAnswer } from '../../../domain/verdicts/image-pulls.ts';
import { meaningOf } from './image-answers.ts';

/** Texts of containerd, CRI-O and Docker for an image. */
const ANSWERS: readonly (readonly [code: string, answer: (image: string) => string])[] = [
  ['image-tag-missing', (image) => `${image}: not found`],
  [
    'image-tag-missing',
    (image) =>
      `initializing source docker://${image}: reading manifest ${tagOf(image)} in ${nameOf(image)}: manifest unknown`,
  ],
  [
    'image-tag-missing',
    (image) =>
      `Error response from daemon: manifest for ${image} not found: manifest unknown: manifest unknown`,
  ],
  [
    'image-not-pulled',
    () => 'manifest unknown: OCI index found, but Accept header does not support OCI indexes',
  ],
  [
    'image-rate-limited',
    (image) => `unexpected status from HEAD request to ${urlOf(image)}: 429 Too Many Requests`,
  ],
  [
    'image-rate-limited',
    (image) =>
      `failed to copy: httpReadSeeker: failed open: unexpected status code ${urlOf(image)}: 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit.`,
  ],
  [
    'image-rate-limited',
    (image) =>
      `initializing source docker://${image}: reading manifest ${tagOf(image)} in ${nameOf(image)}: toomanyrequests: You have reached your pull rate limit`,
  ],
  [
    'image-denied',
    (image) =>
      `failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://auth.example.com/token?scope=repository%3A${encodeURIComponent(image)}: 403 Forbidden`,
  ],
  ['image-denied', (image) => `unexpected status from HEAD request to ${urlOf(image)}: 401 Unauthorized`],
  [
    'image-denied',
    (image) =>
      `initializing source docker://${image}: Requesting bearer token: invalid status code from registry 403 (Forbidden)`,
  ],
  [
    'image-denied',
    (image) =>
      `initializing source docker://${image}: reading manifest ${tagOf(image)} in ${nameOf(image)}: unauthorized: access to the requested resource is not authorized`,
  ],
  [
    'image-denied',
    (image) => `Error response from daemon: Head "${urlOf(image)}": no basic auth credentials`,
  ],
  [
    'image-missing-or-private',
    () =>
      'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
  ],
  [
    'image-registry-unreachable',
    (image) =>
      `failed to do request: Head "${urlOf(image)}": dial tcp: lookup registry429.example.com on 10.40.1.53:53: no such host`,
  ],
  [
    'image-registry-unreachable',
    (image) =>
      `failed to do request: Head "${urlOf(image)}": dial tcp 10.4.29.1:403: connect: connection refused`,
  ],
  [
    'image-registry-unreachable',
    (image) => `failed to do request: Head "${urlOf(image)}": dial tcp 10.4.29.1:443: i/o timeout`,
  ],
  ['image-registry-unreachable', (image) => `failed to do request: Head "${urlOf(image)}": EOF`],
  ['image-not-pulled', (image) => `no match for platform in manifest: not found (${image})`],
  ['image-not-pulled', (image) => `failed to do request: Head "${urlOf(image)}": 503 Service Unavailable`],
  [
    'image-not-pulled',
    (image) => `failed to extract layer sha256:429e401f403a of ${image}: no space left on device`,
  ],
];

const DIGEST = `sha256:${'0a1b'.repeat(16)}`;

test.each([
  `failed to copy: content digest ${DIGEST}: not found`,
  `failed to unpack image on snapshotter overlayfs: could not fetch content descriptor ${DIGEST} (application/vnd.oci.image.layer.v1.tar+gzip) from remote: not found`,
  `failed to prepare extraction snapshot "extract-1 ${DIGEST}": parent snapshot ${DIGEST} does not exist: not found`,
  `failed to extract layer ${DIGEST}: mount callback failed on /var/lib/containerd/tmpmounts/containerd-mount1: permission denied: unknown`,
  'connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused"',
  'failed to register layer: open /var/lib/docker/overlay2/a/b: permission denied',
  'writing blob: storing blob to file "/var/tmp/storage1/1": write /var/tmp/storage1/1: no space left on device',
])('an error of the node is no answer of the registry: %s', (answer) => {
  expect(meaningOf(answer)).toBe('image-not-pulled');
});

/** Names whose parts could be read as an answer. */
const IMAGES = [
  'registry.example.com/shop/web:v43',
  'registry.example.com/shop/web:429',
  'registry.example.com/shop/web:403',
  'registry.example.com/shop/web:1.401',
  'registry.example.com/shop/web:sha-401',
  'registry.example.com:403/shop/web:1',
  '10.40.3.429:5000/429/403:401',
  'registry.geoffrey.io/denied/toomanyrequests:unauthorized',
  'registry.example.com/x509/no-such-host:EOF',
  'web:429',
  'docker.io/library/web:not-found',
  `registry.example.com/shop/web@sha256:${'429401403'.repeat(7)}a`,
  '[2001:db8::429]:5000/web:403',
];

const tagOf = (image: string) => image.split(/[:@](?=[^/]*$)/).at(-1) ?? '';
const nameOf = (image: string) => image.slice(0, -tagOf(image).length - 1);
const urlOf = (image: string) => `https://${nameOf(image)}/v2/manifests/${tagOf(image)}`;

test.each(IMAGES)('the name %s is never read as the answer', (image) => {
  for (const [code, answer] of ANSWERS) {
    const text = answer(image);
    expect([meaningOf(text), text]).toEqual([code, text]);
    const whole = `Failed to pull image "${image}": rpc error: code = Unknown desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${text}`;
    expect([meaningOf(registryAnswer(whole)), whole]).toEqual([code, whole]);
  }
});
