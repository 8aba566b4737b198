import { ApiError, notFound } from '../../api-error.ts';
import type { NodeAgent } from '../../node-agent.ts';
import type { Store } from '../../store/store.ts';
import type { ApiRequest, Reply } from '../http/request.ts';

const NODES = { group: '', plural: 'nodes' };
const KUBELET_PORT = '10250';

interface ProxyContext {
  readonly store: Store;
  readonly nodeAgent: NodeAgent;
}

/**
 * Handles `nodes/NAME/proxy/...` (also `SCHEME:NAME:PORT`): returns the kubelet's response to the rest of the path. A
 * user with this permission can run commands on the node: RBAC's verbs are those of the HTTP methods, not of the
 * kubelet's actions.
 * @throws ApiError 404 for an unknown node, 503 for a port or a kubelet that does not respond
 */
export async function nodeProxy(
  { store, nodeAgent }: ProxyContext,
  request: ApiRequest,
  address: string,
): Promise<Reply> {
  const { name, port } = splitAddress(address);
  const node = store.get('nodes', undefined, name);
  if (node === undefined) throw notFound(NODES, name);
  if (port !== '' && port !== KUBELET_PORT) throw unreachable(name, port);
  const path = /^\/api\/v1\/nodes\/[^/]+\/proxy(.*)$/.exec(request.path)?.[1] ?? '';
  if (path === '') return { status: 301, headers: { location: `${request.path}/` }, body: '' };
  const { status, headers, body } = await nodeAgent.proxied(node, { ...request, path });
  const base = request.path.slice(0, request.path.length - path.length);
  const { location } = headers;
  // Only the proxy knows its own path, so it adds that to the kubelet's location.
  if (location?.startsWith('/') === true)
    return { status, headers: { ...headers, location: base + location }, body };
  return { status, headers, body };
}

/** Splits `SCHEME:NAME:PORT`, `NAME:PORT` or `NAME`. */
function splitAddress(address: string): { readonly name: string; readonly port: string } {
  const segments = address.split(':');
  const [name = '', port = ''] = segments.length === 3 ? segments.slice(1) : segments;
  return { name, port };
}

function unreachable(name: string, port: string): ApiError {
  const message = `error trying to reach service: dial tcp ${name}:${port}: connect: connection refused`;
  return new ApiError(503, 'ServiceUnavailable', message);
}
