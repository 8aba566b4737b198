import { KubeError } from '../errors.ts';
import type { WireRequest } from './wire.ts';

/**
 * Access reviews ask and store nothing, although they are POST.
 * https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
const REVIEWS: ReadonlySet<string> = new Set([
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
]);
/** What they hold is not for whoever a read-only client reads for. */
const CONFIDENTIAL: ReadonlySet<string> = new Set(['secrets', 'configmaps']);
/** A GET of another one may run commands and open tunnels: exec, attach, portforward, proxy. */
const READABLE_SUBRESOURCES: ReadonlySet<string> = new Set(['log', 'status', 'scale']);

/**
 * Throws a KubeError `bad-request` with the problem `not-read-only` for every request but get, list, watch, discovery
 * and access reviews, and for Secrets and ConfigMaps. What it does not know it refuses.
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
  // The watch of old below a path of its own: `/api/v1/watch/secrets`.
  if (plural === 'watch' || plural === 'proxy' || CONFIDENTIAL.has(plural) || deeper.length > 0) return false;
  return subresource === undefined || READABLE_SUBRESOURCES.has(subresource);
}

/** Of the path without its query; none where a segment is no text. */
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
