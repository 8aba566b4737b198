import { KubeError } from '../errors.ts';
import type { WireRequest } from './wire.ts';

/**
 * Access reviews only ask and store nothing, although they use POST.
 * https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
const REVIEWS: ReadonlySet<string> = new Set([
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
]);
/** Their contents are not for the users of a read-only client. */
const CONFIDENTIAL: ReadonlySet<string> = new Set(['secrets', 'configmaps']);
/** A GET of other subresources may run commands and open tunnels: exec, attach, portforward, proxy. */
const READABLE_SUBRESOURCES: ReadonlySet<string> = new Set(['log', 'status', 'scale']);

/**
 * Throws a KubeError `bad-request` with the problem `not-read-only` for every request but get, list, watch, discovery
 * and access reviews, and for Secrets and ConfigMaps. Rejects unknown paths.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 */
export function checkReadOnly(request: WireRequest): void {
  if (request.method === 'POST' && REVIEWS.has(request.path)) return;
  if (request.method === 'GET' && isReadable(request.path)) return;
  const { method, path, subject } = request;
  throw new KubeError({
    kind: 'bad-request',
    problem: { code: 'not-read-only', data: { method, path: path.slice(0, 200) } },
    request: subject,
  });
}

function isReadable(path: string): boolean {
  const [root, ...rest] = decodedSegments(path);
  if (root === 'version') return rest.length === 0;
  if (root !== 'api' && root !== 'apis') return false;
  const groupVersion = root === 'api' ? 1 : 2;
  if (rest.length <= groupVersion) return true;
  return isReadableResource(rest.slice(groupVersion));
}

function isReadableResource(segments: readonly string[]): boolean {
  const isInNamespace =
    segments[0] === 'namespaces' && segments.length > 2 && !READABLE_SUBRESOURCES.has(segments[2]!);
  const [plural = '', , subresource, ...deeper] = isInNamespace ? segments.slice(2) : segments;
  // The deprecated watch, which has a separate path: `/api/v1/watch/secrets`.
  if (plural === 'watch' || plural === 'proxy' || CONFIDENTIAL.has(plural) || deeper.length > 0) return false;
  return subresource === undefined || READABLE_SUBRESOURCES.has(subresource);
}

/** Returns the segments of the path without its query; none if a segment is not plain text. */
function decodedSegments(path: string): readonly string[] {
  try {
    const segments = path.replace(/\?.*$/s, '').split('/').slice(1).map(decodeURIComponent);
    return segments.some((segment) => segment === '' || segment.includes('/') || /^\.\.?$/.test(segment))
      ? []
      : segments;
  } catch {
    return [];
  }
}
