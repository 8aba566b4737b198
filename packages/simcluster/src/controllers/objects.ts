import type { StoredObject } from '../store/store.ts';

/** The parts of API objects that controllers read and write (kubernetes.io/docs/reference/kubernetes-api). */
export interface ContainerSpec {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: unknown }[];
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
  restartPolicy?: string;
  [field: string]: unknown;
}

export interface PodSpec {
  containers: ContainerSpec[];
  initContainers?: ContainerSpec[];
  ephemeralContainers?: ContainerSpec[];
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  hostNetwork?: boolean;
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  schedulingGates?: { name: string }[];
  readinessGates?: { conditionType: string }[];
  tolerations?: { key?: string; operator?: string; effect?: string }[];
  [field: string]: unknown;
}

export interface PodTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: PodSpec;
}

export interface Terminated {
  exitCode: number;
  reason: string;
  startedAt: string;
  finishedAt: string;
  containerID: string;
  message?: string;
}

export interface ContainerStateStatus {
  waiting?: { reason: string; message?: string };
  running?: { startedAt: string };
  terminated?: Terminated;
}

export interface ContainerStatus {
  name: string;
  state: ContainerStateStatus;
  lastState: ContainerStateStatus;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started: boolean;
  resources?: unknown;
}

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
  lastProbeTime?: string | null;
  observedGeneration?: number;
}

export interface PodStatus {
  phase: string;
  conditions?: Condition[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
  ephemeralContainerStatuses?: ContainerStatus[];
  podIP?: string;
  hostIP?: string;
  startTime?: string;
  qosClass?: string;
  reason?: string;
  message?: string;
  [field: string]: unknown;
}

export interface WorkloadSpec {
  replicas?: number;
  selector?: { matchLabels?: Record<string, string>; matchExpressions?: unknown[] };
  template: PodTemplate;
  [field: string]: unknown;
}

export function podSpec(pod: StoredObject): PodSpec {
  return pod.spec as unknown as PodSpec;
}

export function podStatus(pod: StoredObject): PodStatus {
  return (pod.status ?? { phase: 'Pending' }) as unknown as PodStatus;
}

export function workloadSpec(object: StoredObject): WorkloadSpec {
  return object.spec as unknown as WorkloadSpec;
}

export function isPodReady(pod: StoredObject): boolean {
  return podStatus(pod).conditions?.some((c) => c.type === 'Ready' && c.status === 'True') === true;
}

/** Whether a pod is neither finished nor terminating: a ReplicaSet counts only these. */
export function isPodActive(pod: StoredObject): boolean {
  const { phase } = podStatus(pod);
  return phase !== 'Succeeded' && phase !== 'Failed' && pod.metadata.deletionTimestamp === undefined;
}

export function controllerOf(object: StoredObject) {
  return object.metadata.ownerReferences?.find((ref) => ref.controller === true);
}

export function ownerReference(owner: StoredObject) {
  const { apiVersion, kind } = owner;
  const { name, uid } = owner.metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * Matches `matchLabels` and the empty selector; only the API server evaluates expressions, not the controllers here.
 */
export function labelsMatch(
  selector: Record<string, string> | undefined,
  labels: Record<string, string> | undefined,
): boolean {
  return Object.entries(selector ?? {}).every(([key, value]) => labels?.[key] === value);
}

/** Returns JSON with sorted keys and without undefined fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/** Formats a time as the API does: `2026-11-21T10:00:00Z`. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The store's resource name for each kind. */
const RESOURCES: Readonly<Record<string, string>> = {
  Pod: 'pods',
  Node: 'nodes',
  Namespace: 'namespaces',
  Service: 'services',
  ReplicationController: 'replicationcontrollers',
  ServiceAccount: 'serviceaccounts',
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  Deployment: 'deployments.apps',
  ReplicaSet: 'replicasets.apps',
  StatefulSet: 'statefulsets.apps',
  DaemonSet: 'daemonsets.apps',
  ControllerRevision: 'controllerrevisions.apps',
  Job: 'jobs.batch',
  CronJob: 'cronjobs.batch',
  Role: 'roles.rbac.authorization.k8s.io',
  RoleBinding: 'rolebindings.rbac.authorization.k8s.io',
  ClusterRole: 'clusterroles.rbac.authorization.k8s.io',
  ClusterRoleBinding: 'clusterrolebindings.rbac.authorization.k8s.io',
  EndpointSlice: 'endpointslices.discovery.k8s.io',
  Endpoints: 'endpoints',
  CustomResourceDefinition: 'customresourcedefinitions.apiextensions.k8s.io',
};

export function resourceOfKind(kind: string): string | undefined {
  return Object.hasOwn(RESOURCES, kind) ? RESOURCES[kind] : undefined;
}

/** Returns how long a pod may take to end: the time in its deletion, else in its spec, else 30 s. */
export function graceMs(pod: StoredObject): number {
  const { deletionGracePeriodSeconds } = pod.metadata;
  return (deletionGracePeriodSeconds ?? podSpec(pod).terminationGracePeriodSeconds ?? 30) * 1000;
}
