import type { StoredObject } from '../../store/store.ts';
import type { ContainerSpec, PodSpec } from '../objects.ts';

/** Adds what admission and defaulting add to a pod's spec (k8s.io/kubernetes/pkg/apis/core/v1/defaults.go). */
export function withPodDefaults(spec: PodSpec): PodSpec {
  const out: PodSpec = {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'default',
    serviceAccount: 'default',
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: [
      {
        key: 'node.kubernetes.io/not-ready',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      } as never,
      {
        key: 'node.kubernetes.io/unreachable',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      } as never,
    ],
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
    ...spec,
    containers: spec.containers.map(withContainerDefaults),
  };
  if (spec.initContainers !== undefined) out.initContainers = spec.initContainers.map(withContainerDefaults);
  return out;
}

/** Adds the fields that a template also gets, without those that only a pod has. */
export function withTemplateDefaults(spec: PodSpec): PodSpec {
  const out: PodSpec = {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    ...spec,
    containers: spec.containers.map(withContainerDefaults),
  };
  if (spec.initContainers !== undefined) out.initContainers = spec.initContainers.map(withContainerDefaults);
  return out;
}

function withContainerDefaults(container: ContainerSpec): ContainerSpec {
  return {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy:
      /:[^/]+$/.test(container.image) && !container.image.endsWith(':latest') ? 'IfNotPresent' : 'Always',
    ...container,
    ...probesOf(container),
  };
}

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;

/** Returns the probes of a container, with defaults for omitted times and counts. */
function probesOf(container: ContainerSpec): Record<string, object> {
  const given = PROBES.flatMap((field) => {
    const probe = container[field] as { readonly httpGet?: object } | undefined;
    if (probe === undefined) return [];
    const httpGet =
      probe.httpGet === undefined ? {} : { httpGet: { path: '/', scheme: 'HTTP', ...probe.httpGet } };
    return [[field, { ...PROBE_DEFAULTS, ...probe, ...httpGet }] as const];
  });
  return Object.fromEntries(given);
}

const PROBE_DEFAULTS = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

/** Returns Guaranteed, Burstable or BestEffort (kubernetes.io/docs/concepts/workloads/pods/pod-qos). */
export function qosClass(spec: PodSpec): string {
  const resources = [...spec.containers, ...(spec.initContainers ?? [])].map((c) => c.resources ?? {});
  const none = resources.every((r) => isEmpty(r.limits) && isEmpty(r.requests));
  if (none) return 'BestEffort';
  const guaranteed = resources.every((r) =>
    ['cpu', 'memory'].every((kind) => {
      const limit = r.limits?.[kind];
      return limit !== undefined && (r.requests?.[kind] ?? limit) === limit;
    }),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function isEmpty(map: Record<string, string> | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0;
}

/** pkg/registry/core/pod/strategy.go, applySchedulingGatedCondition. */
const GATED = {
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
} as const;

/** Whether somebody must remove a gate before the scheduler may choose a node. */
export function isGated({ schedulingGates = [] }: PodSpec): boolean {
  return schedulingGates.length > 0;
}

/** Returns the status of a pod when it is created; the kubelet adds host ports, the node's address and so on. */
export function newPodStatus(spec: PodSpec): StoredObject['status'] {
  return {
    phase: 'Pending',
    qosClass: qosClass(spec),
    ...(isGated(spec) ? { conditions: [GATED] } : {}),
  };
}
