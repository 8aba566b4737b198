import {
  type Condition,
  type ContainerStatus,
  type PodSpec,
  type PodStatus,
  type Terminated,
  timeText,
} from './objects.ts';

/** Where one container of a pod stands. */
export interface ContainerView {
  readonly name: string;
  readonly kind: 'init' | 'sidecar' | 'regular' | 'ephemeral';
  readonly image: string;
  readonly resources: unknown;
  readonly state:
    | { readonly kind: 'waiting'; readonly reason: string; readonly message?: string | undefined }
    | { readonly kind: 'running'; readonly startedAtMs: number }
    | { readonly kind: 'terminated'; readonly terminated: Terminated };
  /** The run before the one that `state` speaks of. */
  readonly last: Terminated | undefined;
  readonly containerId: string | undefined;
  readonly restartCount: number;
}

export interface PodView {
  readonly spec: PodSpec;
  readonly containers: readonly ContainerView[];
  readonly sandboxReady: boolean;
  readonly startTimeMs: number;
  readonly podIP: string | undefined;
  readonly hostIP: string;
  readonly generation: number;
  readonly nowMs: number;
  readonly before: PodStatus;
}

/** The status that a kubelet would report (k8s.io/kubernetes/pkg/kubelet/kubelet_pods.go, generateAPIPodStatus). */
export function podStatusOf(view: PodView): PodStatus {
  const phase = podPhase(view.spec, view.containers);
  const finished = phase === 'Succeeded' || phase === 'Failed';
  const of = (...kinds: ContainerView['kind'][]) => view.containers.filter((c) => kinds.includes(c.kind));
  const status: PodStatus = {
    observedGeneration: view.generation,
    phase,
    conditions: conditions(view, phase),
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
        : doneInit || (running && !podFinished && container.kind !== 'init'),
    restartCount: container.restartCount,
    image: container.image,
    imageID: container.containerId === undefined ? '' : `sha256:${imageDigest(container.image)}`,
    ...(container.containerId === undefined ? {} : { containerID: container.containerId }),
    started: running,
    resources: container.resources ?? {},
  };
}

/** Same rules as getPhase in k8s.io/kubernetes/pkg/kubelet/kubelet_pods.go. */
export function podPhase(spec: PodSpec, containers: readonly ContainerView[]): string {
  const policy = spec.restartPolicy ?? 'Always';
  for (const init of containers.filter((c) => c.kind === 'init')) {
    if (init.state.kind !== 'terminated') return 'Pending';
    if (init.state.terminated.exitCode !== 0) return policy === 'Never' ? 'Failed' : 'Pending';
  }
  let waiting = 0;
  let running = 0;
  let stopped = 0;
  let succeeded = 0;
  for (const { state, last } of containers.filter((c) => c.kind === 'regular')) {
    if (state.kind === 'running') running++;
    else if (state.kind === 'terminated') {
      stopped++;
      if (state.terminated.exitCode === 0) succeeded++;
    } else if (last !== undefined) {
      stopped++;
      if (last.exitCode === 0) succeeded++;
    } else waiting++;
  }
  const sidecarsRun = containers.some((c) => c.kind === 'sidecar' && c.state.kind === 'running');
  if (waiting > 0) return 'Pending';
  if (running > 0 || (sidecarsRun && stopped > 0)) return 'Running';
  if (policy === 'Always') return stopped > 0 ? 'Running' : 'Pending';
  if (stopped === succeeded) return 'Succeeded';
  return policy === 'Never' ? 'Failed' : 'Running';
}

function conditions(view: PodView, phase: string): Condition[] {
  const regular = view.containers.filter((c) => c.kind === 'regular' || c.kind === 'sidecar');
  const unready = regular.filter((c) => c.state.kind !== 'running').map((c) => c.name);
  const incomplete = view.containers.filter((c) => !initialised(c)).map((c) => c.name);
  const completed = phase === 'Succeeded' ? 'PodCompleted' : phase === 'Failed' ? 'PodFailed' : undefined;
  const ready = unready.length === 0 && completed === undefined;
  const unreadyText = completed ?? 'ContainersNotReady';
  const unreadyFields = {
    reason: unreadyText,
    ...(completed === undefined ? { message: `containers with unready status: [${unready.join(' ')}]` } : {}),
  };
  const initialisedFields =
    incomplete.length > 0
      ? {
          reason: 'ContainersNotInitialized',
          message: `containers with incomplete status: [${incomplete.join(' ')}]`,
        }
      : completed === 'PodCompleted'
        ? { reason: completed }
        : {};
  const wanted: Condition[] = [
    { type: 'PodReadyToStartContainers', status: word(view.sandboxReady && completed === undefined) },
    { type: 'Initialized', status: word(incomplete.length === 0), ...initialisedFields },
    { type: 'Ready', status: word(ready), ...(ready ? {} : unreadyFields) },
    { type: 'ContainersReady', status: word(ready), ...(ready ? {} : unreadyFields) },
  ];
  const scheduled = view.before.conditions?.find((c) => c.type === 'PodScheduled');
  const stamped = wanted.map((condition) => stamp(condition, view));
  return [
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

/** The time of a condition is that of its last change of status. */
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

function initialised(container: ContainerView): boolean {
  if (container.kind === 'init') {
    return container.state.kind === 'terminated' && container.state.terminated.exitCode === 0;
  }
  return container.kind !== 'sidecar' || container.state.kind === 'running' || container.last !== undefined;
}

function word(value: boolean): string {
  return value ? 'True' : 'False';
}

function imageDigest(image: string): string {
  let out = '';
  for (let part = 0; part < 8; part++) {
    let hash = 0x811c9dc5;
    for (const char of `${part}${image}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
    out += hash.toString(16).padStart(8, '0');
  }
  return out;
}
