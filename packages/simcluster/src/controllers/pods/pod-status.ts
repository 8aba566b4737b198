import { sameJson } from '../../json-value.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import {
  type Condition,
  type ContainerStatus,
  type PodSpec,
  type PodStatus,
  podSpec,
  podStatus,
  type Terminated,
  timeText,
} from '../objects.ts';

/** The state of one container of a pod. */
export interface ContainerView {
  readonly name: string;
  readonly kind: 'init' | 'sidecar' | 'regular' | 'ephemeral';
  readonly image: string;
  readonly resources: unknown;
  readonly state:
    | { readonly kind: 'waiting'; readonly reason: string; readonly message?: string | undefined }
    | { readonly kind: 'running'; readonly startedAtMs: number }
    | { readonly kind: 'terminated'; readonly terminated: Terminated };
  /** The run before the one in `state`. */
  readonly last: Terminated | undefined;
  /** Whether its probes allow it to receive requests. */
  readonly isReady: boolean;
  /** Whether it has passed its startup probe. */
  readonly isStarted: boolean;
  readonly containerId: string | undefined;
  readonly restartCount: number;
}

/** Why a whole pod has failed: its kubelet evicted it. */
export interface PodFailure {
  readonly reason: string;
  readonly message: string;
}

interface PodView {
  readonly spec: PodSpec;
  readonly containers: readonly ContainerView[];
  readonly sandboxReady: boolean;
  readonly startTimeMs: number;
  readonly podIP: string | undefined;
  readonly hostIP: string;
  readonly failure: PodFailure | undefined;
  readonly generation: number;
  readonly nowMs: number;
  readonly before: PodStatus;
}

/** What the worker of a pod knows; the rest of a PodView comes from the store. */
type KnownOfPod = Omit<PodView, 'spec' | 'generation' | 'nowMs' | 'before'>;

/** Writes the status of a pod, if it differs and the pod is still the same one. */
export function writePodStatus(cluster: Cluster, pod: StoredObject, known: KnownOfPod): void {
  const { namespace, name, uid } = pod.metadata;
  const object = cluster.store.get('pods', namespace, name);
  if (object === undefined || object.metadata.uid !== uid) return;
  const before = podStatus(object);
  const status = podStatusOf({
    ...known,
    spec: podSpec(object),
    generation: object.metadata.generation ?? 1,
    nowMs: cluster.clock.now(),
    before,
  });
  if (!sameJson(before, status)) cluster.store.replace('pods', object, { status });
}

/**
 * Returns the status that a kubelet would report (k8s.io/kubernetes/pkg/kubelet/kubelet_pods.go, generateAPIPodStatus).
 */
function podStatusOf(view: PodView): PodStatus {
  const phase = view.failure === undefined ? podPhase(view.spec, view.containers) : 'Failed';
  const finished = phase === 'Succeeded' || phase === 'Failed';
  const of = (...kinds: ContainerView['kind'][]) => view.containers.filter((c) => kinds.includes(c.kind));
  const status: PodStatus = {
    observedGeneration: view.generation,
    phase,
    conditions: conditions(view, phase),
    ...view.failure,
    hostIP: view.hostIP,
    hostIPs: [{ ip: view.hostIP }],
    startTime: timeText(view.startTimeMs),
    qosClass: view.before.qosClass ?? 'BestEffort',
  };
  if (view.podIP !== undefined && view.sandboxReady) {
    status.podIP = view.podIP;
    status.podIPs = [{ ip: view.podIP }];
  }
  const inits = of('init', 'sidecar');
  if (inits.length > 0) status.initContainerStatuses = inits.map((c) => statusOf(c, finished));
  status.containerStatuses = of('regular')
    .map((c) => statusOf(c, finished))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const ephemeral = of('ephemeral');
  if (ephemeral.length > 0) status.ephemeralContainerStatuses = ephemeral.map((c) => statusOf(c, finished));
  return status;
}

function statusOf(container: ContainerView, podFinished: boolean): ContainerStatus {
  const { state } = container;
  const running = state.kind === 'running';
  const doneInit =
    container.kind === 'init' && state.kind === 'terminated' && state.terminated.exitCode === 0;
  return {
    name: container.name,
    state:
      state.kind === 'waiting'
        ? {
            waiting: {
              reason: state.reason,
              ...(state.message === undefined ? {} : { message: state.message }),
            },
          }
        : running
          ? { running: { startedAt: timeText(state.startedAtMs) } }
          : { terminated: state.terminated },
    lastState: container.last === undefined ? {} : { terminated: container.last },
    ready:
      container.kind === 'ephemeral'
        ? false
        : doneInit || (container.isReady && !podFinished && container.kind !== 'init'),
    restartCount: container.restartCount,
    image: container.image,
    imageID: container.containerId === undefined ? '' : `sha256:${imageDigest(container.image)}`,
    ...(container.containerId === undefined ? {} : { containerID: container.containerId }),
    started: container.isStarted,
    resources: container.resources ?? {},
  };
}

/** Returns the phase by the rules of getPhase in k8s.io/kubernetes/pkg/kubelet/kubelet_pods.go. */
export function podPhase(spec: PodSpec, containers: readonly ContainerView[]): string {
  const policy = spec.restartPolicy ?? 'Always';
  const inits = containers.filter((c) => c.kind === 'init').map(outcomeOf);
  const incomplete = inits.find((outcome) => outcome !== 'succeeded');
  if (incomplete !== undefined) return incomplete === 'failed' && policy === 'Never' ? 'Failed' : 'Pending';
  const outcomes = containers.filter((c) => c.kind === 'regular').map(lastOutcomeOf);
  const hasStopped = outcomes.some((outcome) => outcome === 'succeeded' || outcome === 'failed');
  const sidecarsRun = containers.some((c) => c.kind === 'sidecar' && c.state.kind === 'running');
  if (outcomes.includes('waiting')) return 'Pending';
  if (outcomes.includes('running') || (sidecarsRun && hasStopped)) return 'Running';
  if (policy === 'Always') return hasStopped ? 'Running' : 'Pending';
  if (!outcomes.includes('failed')) return 'Succeeded';
  return policy === 'Never' ? 'Failed' : 'Running';
}

type Outcome = 'waiting' | 'running' | 'succeeded' | 'failed';

function outcomeOf({ state }: ContainerView): Outcome {
  return state.kind === 'terminated' ? endOf(state.terminated) : state.kind;
}

/** Returns the outcome of a container; one that waits for its next run has the outcome of its last run. */
function lastOutcomeOf(container: ContainerView): Outcome {
  const { state, last } = container;
  return state.kind === 'waiting' && last !== undefined ? endOf(last) : outcomeOf(container);
}

function endOf({ exitCode }: Terminated): Outcome {
  return exitCode === 0 ? 'succeeded' : 'failed';
}

function conditions(view: PodView, phase: string): Condition[] {
  const regular = view.containers.filter((c) => c.kind === 'regular' || c.kind === 'sidecar');
  const unready = regular.filter((c) => !c.isReady).map((c) => c.name);
  const incomplete = view.containers.filter((c) => !initialized(c)).map((c) => c.name);
  const completed = phase === 'Succeeded' ? 'PodCompleted' : phase === 'Failed' ? 'PodFailed' : undefined;
  const ready = unready.length === 0 && completed === undefined;
  const unreadyText = completed ?? 'ContainersNotReady';
  const unreadyFields = {
    reason: unreadyText,
    ...(completed === undefined ? { message: `containers with unready status: [${unready.join(' ')}]` } : {}),
  };
  const initializedFields =
    incomplete.length > 0
      ? {
          reason: 'ContainersNotInitialized',
          message: `containers with incomplete status: [${incomplete.join(' ')}]`,
        }
      : completed === 'PodCompleted'
        ? { reason: completed }
        : {};
  const wanted: Condition[] = [
    {
      type: 'PodReadyToStartContainers',
      status: conditionStatus(view.sandboxReady && completed === undefined),
    },
    { type: 'Initialized', status: conditionStatus(incomplete.length === 0), ...initializedFields },
    readyCondition(view, ready ? undefined : unreadyFields),
    { type: 'ContainersReady', status: conditionStatus(ready), ...(ready ? {} : unreadyFields) },
  ];
  const scheduled = view.before.conditions?.find((c) => c.type === 'PodScheduled');
  const stamped = wanted.map((condition) => stamp(condition, view));
  return [
    ...foreignConditions(view.before),
    ...stamped,
    stamp(
      {
        type: 'PodScheduled',
        status: 'True',
        ...(scheduled?.lastTransitionTime === undefined
          ? {}
          : { lastTransitionTime: scheduled.lastTransitionTime }),
      },
      view,
    ),
  ];
}

/** pkg/kubelet/status/generate.go, GeneratePodReadyCondition. `unready`: why containers are not ready. */
function readyCondition(
  { spec, before }: PodView,
  unready: Pick<Condition, 'reason' | 'message'> | undefined,
): Condition {
  const type = 'Ready';
  if (unready !== undefined) return { type, status: 'False', ...unready };
  const messages = (spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = JSON.stringify(conditionType);
    const condition = before.conditions?.find((one) => one.type === conditionType);
    if (condition === undefined)
      return [`corresponding condition of pod readiness gate ${gate} does not exist.`];
    return condition.status === 'True'
      ? []
      : [`the status of pod readiness gate ${gate} is not "True", but ${condition.status}`];
  });
  if (messages.length === 0) return { type, status: 'True' };
  return { type, status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

const KUBELETS_OWN = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

/** Returns conditions of other components, which a kubelet keeps: DisruptionTarget, readiness gates. */
function foreignConditions({ conditions: before = [] }: PodStatus): readonly Condition[] {
  return before.filter(({ type }) => !KUBELETS_OWN.includes(type));
}

/** Sets the time of a condition to the last change of its status. */
function stamp(condition: Condition, view: PodView): Condition {
  const before = view.before.conditions?.find((c) => c.type === condition.type);
  const kept = before?.status === condition.status ? before.lastTransitionTime : undefined;
  const { type, status, ...rest } = condition;
  return {
    type,
    observedGeneration: view.generation,
    status,
    lastProbeTime: null,
    lastTransitionTime: kept ?? timeText(view.nowMs),
    ...rest,
  };
}

function initialized(container: ContainerView): boolean {
  if (container.kind === 'init') {
    return container.state.kind === 'terminated' && container.state.terminated.exitCode === 0;
  }
  return container.kind !== 'sidecar' || container.state.kind === 'running' || container.last !== undefined;
}

function conditionStatus(value: boolean): string {
  return value ? 'True' : 'False';
}

function imageDigest(image: string): string {
  let out = '';
  for (let index = 0; index < 8; index++) {
    let hash = 0x811c9dc5;
    for (const char of `${index}${image}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
    out += hash.toString(16).padStart(8, '0');
  }
  return out;
}
