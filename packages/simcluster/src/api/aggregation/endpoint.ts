import type { Store } from '../../store/store.ts';
import { array, at, fields, text } from '../table/read.ts';
import type { ServiceReference } from './api-service.ts';

/** Why no server can be asked, as the condition `Available` reports it. */
export interface Unavailable {
  readonly reason: string;
  readonly message: string;
}

/** An address of a server in the cluster. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const SLICES = 'endpointslices.discovery.k8s.io';

/** Returns the ready endpoints of a service, or why there are none (kube-aggregator: available_controller). */
export function endpointsOf(
  store: Store,
  { namespace, name, port }: ServiceReference,
): readonly Endpoint[] | Unavailable {
  const where = `service/${name} in ${JSON.stringify(namespace)}`;
  const service = store.get('services', namespace, name);
  if (service === undefined) return { reason: 'ServiceNotFound', message: `${where} is not present` };
  const servicePort = array(at(service.spec, 'ports')).find((entry) => at(entry, 'port') === port);
  if (servicePort === undefined)
    return { reason: 'ServicePortError', message: `${where} is not listening on port ${port}` };
  const slices = store
    .list(SLICES, namespace)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
  if (slices.length === 0)
    return { reason: 'EndpointsNotFound', message: `cannot find endpointslices for ${where}` };
  const portName = text(at(servicePort, 'name'));
  const found = slices.flatMap((slice) => readyEndpoints(slice, portName));
  if (found.length > 0) return found;
  const message = `endpointslices for ${where} have no addresses with port name ${JSON.stringify(portName)}`;
  return { reason: 'MissingEndpoints', message };
}

function readyEndpoints(slice: unknown, portName: string): readonly Endpoint[] {
  const port = array(at(slice, 'ports')).find((entry) => text(at(entry, 'name')) === portName);
  const number = at(port, 'port');
  if (typeof number !== 'number') return [];
  return array(at(slice, 'endpoints'))
    .filter((endpoint) => fields(at(endpoint, 'conditions')).ready !== false)
    .flatMap((endpoint) => (endpoint.addresses ?? []) as readonly string[])
    .map((address) => ({ address, port: number }));
}
