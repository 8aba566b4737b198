/** Kubernetes objects for tests, as small as resolution allows. */

let uids = 0;

interface Options {
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly owner?: Owner;
  readonly uid?: string;
}

export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
}

function metadata(name: string, options: Options) {
  const { owner } = options;
  return {
    name,
    namespace: options.namespace ?? 'shop',
    uid: options.uid ?? `${name}-uid-${++uids}`,
    resourceVersion: '',
    labels: options.labels ?? {},
    annotations: options.annotations ?? {},
    ownerReferences:
      owner === undefined
        ? []
        : [
            {
              apiVersion: owner.apiVersion,
              kind: owner.kind,
              name: owner.metadata.name,
              uid: owner.metadata.uid,
              controller: true,
            },
          ],
  };
}

export interface PodOptions extends Options {
  readonly containers?: readonly string[];
  readonly init?: readonly string[];
  readonly sidecars?: readonly string[];
  readonly ephemeral?: readonly string[];
  readonly node?: string | undefined;
  readonly phase?: string;
  readonly status?: Record<string, unknown>;
  readonly restartPolicy?: string;
}

export function pod(name: string, options: PodOptions = {}) {
  const containers = options.containers ?? ['app'];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata(name, options),
    spec: {
      restartPolicy: options.restartPolicy ?? 'Always',
      ...(options.node === undefined ? {} : { nodeName: options.node }),
      initContainers: [
        ...(options.init ?? []).map((container) => ({ name: container })),
        ...(options.sidecars ?? []).map((container) => ({ name: container, restartPolicy: 'Always' })),
      ],
      containers: containers.map((container) => ({ name: container })),
      ephemeralContainers: (options.ephemeral ?? []).map((container) => ({ name: container })),
    },
    status: {
      phase: options.phase ?? 'Running',
      containerStatuses: containers.map((container) => ({
        name: container,
        restartCount: 0,
        containerID: `containerd://${name}-${container}`,
        state: { running: { startedAt: '2026-11-21T10:00:00Z' } },
      })),
      ...options.status,
    },
  };
}

interface WorkloadOptions extends Options {
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

/** Makes a workload whose selector is `app=<name>`, unless spec has another. */
export function workload(apiVersion: string, kind: string, name: string, options: WorkloadOptions = {}) {
  return {
    apiVersion,
    kind,
    metadata: metadata(name, options),
    spec: { selector: { matchLabels: { app: name } }, ...options.spec },
    status: options.status ?? {},
  };
}

export function node(name: string, labels: Record<string, string>) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `${name}-uid`, resourceVersion: '', labels },
  };
}

export function namespace(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: `${name}-uid`, resourceVersion: '' } };
}
