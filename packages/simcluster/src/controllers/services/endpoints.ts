import { sameJson } from '../../json-value.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import { type Cluster, createObject } from '../cluster.ts';
import { isPodReady, labelsMatch, ownerReference, podSpec, podStatus, timeText } from '../objects.ts';
import { controlledBy, podsLabeled } from '../related.ts';

interface ServiceSpec {
  selector?: Record<string, string>;
  clusterIP?: string;
  ports?: { name?: string; port: number; targetPort?: number | string; protocol?: string }[];
}

/** With more pods than this, a service is reconciled once a second, because the cost grows with its pods. */
const MANY_PODS = 100;
const PAUSE_MS = 1000;

/** Keeps Endpoints and one EndpointSlice for each Service with a selector. */
export function startEndpoints(cluster: Cluster): void {
  /** When a service with many pods was last reconciled, and whether another run is scheduled. */
  const reconciled = new Map<string, { readonly atMs: number; waits: boolean }>();
  const reconcileService = (namespace: string | undefined, name: string) => {
    const service = cluster.store.get('services', namespace, name);
    const key = `${namespace}/${name}`;
    reconciled.delete(key);
    if (service === undefined) {
      cluster.store.remove('endpoints', namespace, name);
      return;
    }
    const count = reconcile(cluster, service);
    if (count > MANY_PODS) reconciled.set(key, { atMs: cluster.clock.now(), waits: false });
  };
  const enqueue = (namespace: string | undefined, name: string) =>
    cluster.queue.add(`endpoints/${namespace}/${name}`, () => {
      const last = reconciled.get(`${namespace}/${name}`);
      const leftMs = last === undefined ? 0 : last.atMs + PAUSE_MS - cluster.clock.now();
      if (last === undefined || leftMs <= 0) {
        reconcileService(namespace, name);
        return;
      }
      if (last.waits) return;
      last.waits = true;
      cluster.clock.after(leftMs, () => reconcileService(namespace, name));
    });
  cluster.store.subscribe('services', ({ object }) =>
    enqueue(object.metadata.namespace, object.metadata.name),
  );
  cluster.store.subscribe('pods', ({ object, before }) => {
    const { namespace, labels } = object.metadata;
    const states = before === undefined || before.metadata.labels === labels ? [object] : [object, before];
    for (const state of states) {
      for (const service of servicesOf(cluster.store, state)) enqueue(namespace, service.metadata.name);
    }
  });
}

/** Returns the services whose selectors match a pod, by an index of the first label of each selector. */
function servicesOf(store: Store, pod: StoredObject): readonly StoredObject[] {
  const { namespace = '', labels = {} } = pod.metadata;
  const index = store.index('services', 'selector', (service) => {
    const [first] = Object.entries((service.spec as ServiceSpec).selector ?? {});
    return first === undefined ? [] : [`${service.metadata.namespace}/${first.join('=')}`];
  });
  return Object.entries(labels)
    .flatMap((label) => index.of(`${namespace}/${label.join('=')}`))
    .filter((service) => labelsMatch((service.spec as ServiceSpec).selector, labels));
}

/** Returns the number of pods that it processed. */
function reconcile(cluster: Cluster, service: StoredObject): number {
  const { selector, ports = [], clusterIP } = service.spec as ServiceSpec;
  if (selector === undefined || Object.keys(selector).length === 0) return 0;
  const { namespace, name } = service.metadata;
  const pods = podsSelected(cluster.store, namespace, selector)
    .filter((pod) => podStatus(pod).podIP !== undefined)
    .filter((pod) => podStatus(pod).phase === 'Running' || podStatus(pod).phase === 'Pending');
  const slicePorts = ports.map((p) => ({
    name: p.name ?? '',
    protocol: p.protocol ?? 'TCP',
    port: targetPort(p, pods[0]),
  }));
  writeSlice(cluster, service, clusterIP === 'None', pods, slicePorts);
  const addresses = (ready: boolean) =>
    pods
      .filter((pod) => isPodReady(pod) === ready)
      .map((pod) => ({
        ip: podStatus(pod).podIP,
        nodeName: podSpec(pod).nodeName,
        targetRef: targetRef(pod),
      }));
  const [ready, notReady] = [addresses(true), addresses(false)];
  const subset = {
    ...(ready.length > 0 ? { addresses: ready } : {}),
    ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
    ports: slicePorts,
  };
  write(cluster, 'endpoints', namespace, name, pods.length === 0 ? {} : { subsets: [subset] }, {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, namespace: namespace ?? 'default' },
  });
  return pods.length;
}

function podsSelected(
  store: Store,
  namespace: string | undefined,
  selector: Readonly<Record<string, string>>,
): readonly StoredObject[] {
  const groups = Object.entries(selector).map(([label, value]) =>
    podsLabeled(store, namespace, label, value),
  );
  const smallest = groups.reduce((a, b) => (b.length < a.length ? b : a), groups[0] ?? []);
  return smallest.filter((pod) => labelsMatch(selector, pod.metadata.labels));
}

function writeSlice(
  cluster: Cluster,
  service: StoredObject,
  headless: boolean,
  pods: readonly StoredObject[],
  ports: readonly unknown[],
): void {
  const { namespace, name } = service.metadata;
  const known = controlledBy(cluster.store, 'endpointslices.discovery.k8s.io', service)[0];
  const endpoints = pods.map((pod) => {
    const zone = cluster.store.get('nodes', undefined, podSpec(pod).nodeName ?? '')?.metadata.labels?.[
      'topology.kubernetes.io/zone'
    ];
    return {
      addresses: [podStatus(pod).podIP],
      conditions: {
        ready: isPodReady(pod) && pod.metadata.deletionTimestamp === undefined,
        serving: isPodReady(pod),
        terminating: pod.metadata.deletionTimestamp !== undefined,
      },
      ...(podSpec(pod).hostname === undefined ? {} : { hostname: podSpec(pod).hostname }),
      targetRef: targetRef(pod),
      nodeName: podSpec(pod).nodeName,
      ...(zone === undefined ? {} : { zone }),
    };
  });
  const sliceName =
    known?.metadata.name ?? `${name}-${cluster.random('slice', service.metadata.uid).suffix(5)}`;
  write(
    cluster,
    'endpointslices.discovery.k8s.io',
    namespace,
    sliceName,
    { endpoints, ports },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        name: sliceName,
        generateName: `${name}-`,
        namespace: namespace ?? 'default',
        generation: 1,
        labels: {
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
          'kubernetes.io/service-name': name,
          ...(headless ? { 'service.kubernetes.io/headless': '' } : {}),
        },
        annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': timeText(cluster.clock.now()) },
        ownerReferences: [ownerReference(service)],
      },
      addressType: 'IPv4',
    },
  );
}

function write(
  cluster: Cluster,
  resource: string,
  namespace: string | undefined,
  name: string,
  fields: Record<string, unknown>,
  fresh: {
    metadata: { name: string; namespace: string; [field: string]: unknown };
    [field: string]: unknown;
  },
): void {
  const object = cluster.store.get(resource, namespace, name);
  if (object === undefined) {
    createObject(cluster, resource, { ...fresh, ...fields });
    return;
  }
  const before = Object.fromEntries(Object.keys(fields).map((key) => [key, object[key]]));
  if (!sameJson(before, fields)) cluster.store.replace(resource, object, fields);
}

function targetRef(pod: StoredObject) {
  return { kind: 'Pod', namespace: pod.metadata.namespace, name: pod.metadata.name, uid: pod.metadata.uid };
}

function targetPort(
  port: { port: number; targetPort?: number | string },
  pod: StoredObject | undefined,
): number {
  if (typeof port.targetPort === 'number') return port.targetPort;
  const named =
    pod &&
    podSpec(pod)
      .containers.flatMap((c) => c.ports ?? [])
      .find((p) => p.name === port.targetPort);
  return named?.containerPort ?? port.port;
}
