import { ApiError, notFound } from '../../api-error.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import type { ApiRequest, Reply } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { array, at, number, text } from '../table/read.ts';
import { type Target, Unreachable } from './connect.ts';
import { endpointsOf } from './endpoint.ts';
import { proxiedHeaders } from './forwarded-headers.ts';
import { CLIENT_ADDRESS, forward } from './proxy.ts';
import type { Upstreams } from './upstream.ts';

const SERVICES = { group: '', plural: 'services' };

/**
 * Handles `services/NAME/proxy/...` (also `SCHEME:NAME:PORT`): returns what an endpoint of the service answers to the
 * rest of the path. The server learns nothing of the user: no certificate, no `X-Remote-*`, no `Authorization`.
 * @throws ApiError 404 for an unknown service, 503 for one that does not respond
 */
export async function serviceProxy(
  store: Store,
  upstreams: Upstreams,
  request: ApiRequest,
  { namespace = '', name: id }: RequestInfo,
  turn: number,
): Promise<Reply> {
  const { scheme, name, port } = splitAddress(id);
  const service = store.get('services', namespace, name);
  if (service === undefined) throw notFound(SERVICES, name);
  const rest = /^\/api\/v1\/namespaces\/[^/]+\/services\/[^/]+\/proxy(.*)$/.exec(request.path)?.[1] ?? '';
  if (rest === '') return { status: 301, headers: { location: `${request.path}/` }, body: '' };
  const endpoints = endpointsOf(store, { namespace, name, port: portNumber(service, port) });
  const endpoint = 'reason' in endpoints ? undefined : endpoints[turn % endpoints.length];
  if (endpoint === undefined) throw unavailable(`no endpoints available for service ${JSON.stringify(id)}`);
  const target: Target = {
    ...endpoint,
    serverName: '',
    ca: undefined,
    insecure: true,
    plain: scheme !== 'https',
  };
  const query = request.query.toString();
  try {
    return await forward(upstreams, request, target, {
      path: query === '' ? rest : `${rest}?${query}`,
      headers: proxiedHeaders(request.headers, { path: request.path, clientAddress: CLIENT_ADDRESS }),
      host: String(request.headers.host ?? request.headers[':authority'] ?? ''),
      signal: request.signal,
      done: () => undefined,
    });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    throw unavailable(`error trying to reach service: ${error.message}`);
  }
}

/** Splits `SCHEME:NAME:PORT`, `NAME:PORT` or `NAME`. */
function splitAddress(address: string) {
  const segments = address.split(':');
  const [scheme = '', name = '', port = ''] = segments.length === 3 ? segments : ['', ...segments];
  return { scheme, name, port };
}

/** A port is given by its name or number; without one, the service has only one. */
function portNumber(service: StoredObject, port: string): number {
  const ports = array(at(service.spec, 'ports'));
  const found =
    port === '' ? ports[0] : ports.find((entry) => text(entry.name) === port || String(entry.port) === port);
  return number(found?.port);
}

function unavailable(message: string): ApiError {
  return new ApiError(503, 'ServiceUnavailable', message);
}
