import type { Store } from '../../store/store.ts';

type Spec = Readonly<Record<string, unknown>>;

/** The first address for services, at the start of many clusters' range; .1 is the API server's own. */
const FIRST_ADDRESS = 10;
/** The start of kube-apiserver's --service-node-port-range. */
const FIRST_NODE_PORT = 30_000;

/** Returns a service's spec with the API server's defaults, including a cluster IP. */
export function withServiceDefaults(store: Store, spec: Spec): Record<string, unknown> {
  const type = typeof spec.type === 'string' ? spec.type : 'ClusterIP';
  const common = { sessionAffinity: 'None', ...spec, type };
  if (type === 'ExternalName') return common;
  const given = spec.clusterIP;
  const clusterIP = typeof given === 'string' && given !== '' ? given : freeAddress(store);
  return {
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
    ...common,
    ...(type === 'ClusterIP' ? {} : { externalTrafficPolicy: 'Cluster' }),
    ...(Array.isArray(spec.ports) ? { ports: portsWithDefaults(store, type, spec.ports) } : {}),
    clusterIP,
    clusterIPs: [clusterIP],
  };
}

function freeAddress(store: Store): string {
  const taken = new Set(store.list('services').map(({ spec }) => spec?.clusterIP));
  for (let index = FIRST_ADDRESS; ; index++) {
    const address = `10.96.${Math.floor(index / 256)}.${index % 256}`;
    if (!taken.has(address)) return address;
  }
}

function portsWithDefaults(store: Store, type: string, ports: readonly Spec[]): readonly Spec[] {
  const used = new Set(
    store.list('services').flatMap(({ spec }) => portsOf(spec).map((port) => port.nodePort)),
  );
  return ports.map((port) => {
    const full = { protocol: 'TCP', targetPort: port.port, ...port };
    if (type === 'ClusterIP' || (port.nodePort ?? 0) !== 0) return full;
    let nodePort = FIRST_NODE_PORT;
    while (used.has(nodePort)) nodePort += 1;
    used.add(nodePort);
    return { ...full, nodePort };
  });
}

function portsOf(spec: Spec | undefined): readonly Spec[] {
  return Array.isArray(spec?.ports) ? spec.ports : [];
}
