import type { VerdictCode } from '../../../domain/verdicts/verdict.ts';

export type ImageCode = Extract<VerdictCode, `image-${string}`>;

/**
 * Answers of registries and runtimes, the more specific first. Distribution spec: 401 and 403 mean denied,
 * 404 with `manifest unknown` means a missing tag, 429 means a limit; a hub answers `insufficient_scope` both
 * for a repository that does not exist and for a private one. An image without a manifest for the node's
 * platform has its tag (containerd, core/images). A number counts only beside the words of its status: alone
 * it may be anything.
 */
const ANSWERS: readonly (readonly [ImageCode, RegExp])[] = [
  [
    'image-rate-limited',
    /\b429 Too Many Requests\b|\bstatus ?code(?: from registry)?:? 429\b|\btoomanyrequests\b|\brate limit/i,
  ],
  [
    'image-missing-or-private',
    /\brepository does not exist or may require|\binsufficient_scope\b|\brepository\b.{0,200}\bnot found\b/i,
  ],
  [
    'image-denied',
    /\b401 Unauthorized\b|\b403 Forbidden\b|\bstatus ?code(?: from registry)?:? 40[13]\b|\bunauthorized:|\bauthentication required\b|\bno basic auth credentials\b|\baccess denied\b|\bdenied:|\bis denied\b/i,
  ],
  ['image-not-pulled', /\bno match for platform\b|\bbut Accept header does not support\b/],
  ['image-tag-missing', /: not found\b|\bmanifest unknown\b|\bmanifest for not found\b|\bcode = NotFound\b/],
  [
    'image-registry-unreachable',
    /\bdial tcp\b|\bno such host\b|\bconnection refused\b|\bconnection reset\b|\bi\/o timeout\b|\bTLS handshake\b|\bx509:|\bdeadline exceeded\b|\bnetwork is unreachable\b|\bno route to host\b|\brequest canceled\b|\bEOF\b/i,
  ],
];

/**
 * Errors of the node's own runtime: its store of content, its snapshots, its disk, its socket (containerd
 * core/content, core/unpack, client; containers/storage). Their "not found" and "permission denied" are no answers of
 * the registry.
 */
const OF_NODE =
  /\bcontent digest\b|\bcontent descriptor\b|\bparent snapshot\b|\bfailed to (?:extract layer|unpack image on snapshotter|(?:prepare|create|commit|stat) (?:extraction )?snapshot|register layer|apply layer|get content)\b|\b(?:storing blob to file|adding layer with blob|applying layer)\b|\bdial unix\b|\/(?:containerd|crio|docker|cri-dockerd)\.sock\b|\bno space left on device\b/;

/** Returns what the answer of a registry or runtime means, from its own words alone. */
export function meaningOf(answer: string): ImageCode {
  if (OF_NODE.test(answer)) return 'image-not-pulled';
  const text = withoutNames(answer);
  return ANSWERS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'image-not-pulled';
}

/**
 * Removes images, digests, addresses, hosts and ports, whose letters and digits could be read as an answer:
 * every word with a slash, a dot, an at sign or a colon inside, and the tag that CRI-O writes by itself.
 */
function withoutNames(answer: string): string {
  return answer
    .replaceAll(/"[^"\s]*"/g, '')
    .replaceAll(/\b(reading manifest) \S+ in\b/g, '$1 in')
    .split(/\s+/)
    .map(withoutName)
    .filter((token) => token !== '')
    .join(' ')
    .replaceAll(/ (?=[:,;])/g, '');
}

/** Keeps the punctuation after a name: `registry/web:v1: not found` becomes `: not found`. */
function withoutName(token: string): string {
  const [, name = '', end = ''] = /^(.*?)([:,;.)]*)$/s.exec(token) ?? [];
  return name !== 'i/o' && name !== 'net/http' && /[/@]|[.:]./.test(name) ? end : token;
}
