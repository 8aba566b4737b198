import { Backoff } from '@logtool/kube/src/values/retry.ts';
import { timestampFromMs, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { containerProgram } from '../../generator/container-program.ts';
import { fixedLines } from '../../generator/fixed-lines.ts';
import type { Emission } from '../../generator/program.ts';
import type { ContainerRuntime, RunIdentity } from '../../kubelet/runtime.ts';
import type { ContainerBehavior } from '../../scenario/container-schema.ts';
import { durationMs } from '../../scenario/duration.ts';
import type { Cluster } from '../cluster.ts';
import { type ContainerSpec, type Terminated, timeText } from '../objects.ts';
import { type ImageRefusal, refuseUnasked } from './image-refusal.ts';
import { type LogFeed, startFeed } from './log-feed.ts';
import type { ContainerView } from './pod-status.ts';
import { ContainerProbes, type ProbeKind } from './probes.ts';
import { pullError, type Registries } from './registries.ts';

/** Kubelet's MaxContainerBackOff (kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle). */
const MAX_BACK_OFF_MS = 300_000;
/** The first restart is immediate. */
const RESTART_POLICY = { waitsMs: [0, 10_000, 20_000, 40_000, 80_000, 160_000, MAX_BACK_OFF_MS] } as const;

/** containerd, pkg/cri/server/container_start.go (errorStartExitCode, errorStartReason). */
const START_ERROR = 'StartError';
const START_ERROR_CODE = 128;

export interface ContainerSetup {
  readonly cluster: Cluster;
  readonly runtime: ContainerRuntime;
  readonly identity: Omit<RunIdentity, 'restartCount'>;
  readonly kind: ContainerView['kind'];
  readonly spec: ContainerSpec;
  /** Whether the pod waits for this container's end to continue or complete. */
  readonly toEnd: boolean;
  behavior(): ContainerBehavior | undefined;
  /** Why the behavior in the container's environment is invalid; undefined if it is not. */
  readonly behaviorProblem: string | undefined;
  readonly registries: Registries;
  /** How far the node's clock is ahead. */
  readonly skewMs: number;
  readonly podIP: string;
  /** Whether the kubelet works and the pod stays. */
  isProbed(): boolean;
  /** Returns what the environment needs and the namespace lacks. */
  missingConfig(): string | undefined;
  /** Called when a run ended by itself or was stopped. */
  onExit(worker: ContainerWorker): void;
  /** Called when a probe failed. */
  onUnhealthy(worker: ContainerWorker, kind: ProbeKind, message: string): void;
  /** Called when a probe failed so often that the kubelet restarts the container. */
  onDead(worker: ContainerWorker, kind: ProbeKind): void;
  /** Called when the container became ready, or is no longer ready. */
  onReadiness(): void;
}

/** One container of one pod, across all its runs. */
export class ContainerWorker {
  readonly setup: ContainerSetup;
  state: ContainerView['state'] = { kind: 'waiting', reason: 'ContainerCreating' };
  last: Terminated | undefined;
  containerId: string | undefined;
  restartCount = 0;
  /** Whether the last check of the image pulled it from a registry. */
  isPulled = false;
  /** How long that took, in ms; undefined if it took no time of the scenario. */
  pulledMs: number | undefined;
  readonly #backoff = new Backoff(RESTART_POLICY);
  #hasImage = false;
  /** Whether a start was requested and is not complete. */
  starting = false;
  #feed: LogFeed | undefined;
  #stopping = false;
  /** Whether the kernel killed a process of this run because it ran out of memory. */
  #hadOom = false;
  readonly #probes: ContainerProbes;

  constructor(setup: ContainerSetup) {
    this.setup = setup;
    this.#probes = new ContainerProbes({
      clock: setup.cluster.clock,
      spec: setup.spec,
      podIP: setup.podIP,
      hasDelays: setup.cluster.realDelays,
      failures: () => setup.behavior()?.probes ?? [],
      isProbed: () => this.running && setup.isProbed(),
      onFailure: (kind, message) => setup.onUnhealthy(this, kind, message),
      onChange: () => setup.onReadiness(),
      onDead: (kind) => setup.onDead(this, kind),
    });
  }

  get name(): string {
    return this.setup.spec.name;
  }

  get kind(): ContainerView['kind'] {
    return this.setup.kind;
  }

  get running(): boolean {
    return this.state.kind === 'running';
  }

  /** Returns how long the next try to get the image takes, in ms. */
  pullMs(): number {
    const { spec, registries, behaviorProblem } = this.setup;
    const isOnNode = this.#hasImage || !registries.covers(spec.image);
    const isRefused = refuseUnasked(spec.image, spec.imagePullPolicy, isOnNode) !== undefined;
    return behaviorProblem !== undefined || isOnNode || isRefused ? 0 : registries.pullMs(spec.image);
  }

  /** Tries once to get the image, as the kubelet does; returns undefined on success. */
  tryImage(): ImageRefusal | undefined {
    const { spec, registries, behaviorProblem } = this.setup;
    if (behaviorProblem !== undefined)
      return { reason: 'CreateContainerConfigError', message: behaviorProblem };
    const isOnNode = this.#hasImage || !registries.covers(spec.image);
    const unasked = refuseUnasked(spec.image, spec.imagePullPolicy, isOnNode);
    if (unasked !== undefined) return unasked;
    const message = this.#isBad()
      ? pullError(spec.image, 'no-such-host')
      : isOnNode
        ? undefined
        : registries.pull(spec.image);
    if (message !== undefined) return { reason: 'ErrImagePull', message };
    this.isPulled = !isOnNode;
    this.#hasImage = true;
    const missing = this.setup.missingConfig();
    if (missing !== undefined) return { reason: 'CreateContainerConfigError', message: missing };
    const failure = this.setup.behavior()?.createError;
    return failure === undefined ? undefined : { reason: 'CreateContainerError', message: failure };
  }

  /**
   * Whether the image cannot exist: its behavior says so, or no registry can respond, because the domain .invalid is
   * reserved (RFC 2606).
   */
  #isBad(): boolean {
    const { spec, behavior } = this.setup;
    return behavior()?.state === 'bad-image' || /^[^/]+\.invalid(:\d+)?\//.test(spec.image);
  }

  view(): ContainerView {
    const { spec, kind, toEnd } = this.setup;
    const failedStart = toEnd ? undefined : startErrorOf(this.state);
    return {
      name: spec.name,
      kind,
      image: spec.image,
      resources: spec.resources,
      state: failedStart === undefined ? this.state : runContainerError(failedStart),
      last: failedStart ?? this.last,
      isReady: this.running && this.#probes.ready,
      isStarted: this.running && this.#probes.started,
      containerId: this.containerId,
      restartCount: this.restartCount,
    };
  }

  /** Starts the next run. */
  start(): void {
    const { cluster, runtime, identity, spec, skewMs } = this.setup;
    const startMs = cluster.clock.now();
    const ended = this.state.kind === 'terminated' ? this.state.terminated : undefined;
    if (ended !== undefined) this.last = ended;
    if (this.containerId !== undefined) this.restartCount++;
    const run = runtime.startRun(
      { ...identity, restartCount: this.restartCount },
      timestampFromMs(startMs + skewMs),
    );
    this.containerId = run.containerId;
    // A status shows the time of the node's runtime, as the log does.
    this.state = { kind: 'running', startedAtMs: startMs + skewMs };
    this.#stopping = false;
    this.#hadOom = false;
    this.#probes.begin();
    this.#play(startMs, [identity.podUid, spec.name, this.restartCount]);
  }

  /** Fails a start: the runtime creates the container but cannot start its process. */
  failStart(message: string): void {
    const { cluster, runtime, identity, skewMs } = this.setup;
    const at = timestampFromMs(cluster.clock.now() + skewMs);
    if (this.state.kind === 'terminated') this.last = this.state.terminated;
    if (this.containerId !== undefined) this.restartCount++;
    const run = runtime.startRun({ ...identity, restartCount: this.restartCount }, at);
    this.containerId = run.containerId;
    runtime.exit(run.containerId, START_ERROR_CODE, at);
    this.state = {
      kind: 'terminated',
      terminated: {
        exitCode: START_ERROR_CODE,
        reason: START_ERROR,
        message,
        startedAt: timeText(0),
        finishedAt: timeText(timestampToMs(at)),
        containerID: run.containerId,
      },
    };
    this.setup.onExit(this);
  }

  /** Notes that the kernel killed one of the processes: containerd reports that, whatever the container's exit code. */
  noteOom(): void {
    this.#hadOom = true;
  }

  /** Freezes the process when the node loses its power: it writes nothing more, and no component has noticed yet. */
  freeze(): void {
    this.flush();
    this.#feed?.stop();
  }

  /** Writes the lines that are due by now to the file. */
  flush(): void {
    this.#feed?.flush();
  }

  goLive(): void {
    if (this.running) this.#feed?.goLive();
  }

  /** Continues the run with a new behavior, after the scenario changed it. */
  renewProgram(): void {
    if (!this.running || this.containerId === undefined) return;
    const { cluster, identity, spec } = this.setup;
    this.flush();
    if (!this.running) return;
    this.#feed?.stop();
    const startMs = cluster.clock.now();
    this.#play(startMs, [identity.podUid, spec.name, this.restartCount, 'renewed', startMs]);
  }

  #play(startMs: number, path: readonly (string | number)[]): void {
    const { cluster } = this.setup;
    const program = containerProgram({
      behavior: this.setup.behavior(),
      toEnd: this.setup.toEnd,
      attempt: this.restartCount,
      startMs,
      servingMs: cluster.clock.startMs,
      random: cluster.random('run', ...path),
      randomOf: (index) => cluster.random('run', ...path, 'logs', index),
    });
    this.#feed = startFeed(program, cluster.clock, {
      write: (emission) => this.#write(emission),
      exit: ({ code, reason, dueMs }) => this.end(code, reason, dueMs),
    });
    if (!this.running) this.#feed.stop();
  }

  /** Ends the process. */
  end(code: number, reason: string, atMs = this.setup.cluster.clock.now()): void {
    if (this.state.kind !== 'running' || this.containerId === undefined) return;
    this.#feed?.stop();
    this.#probes.end();
    const { runtime, skewMs } = this.setup;
    runtime.exit(this.containerId, code, timestampFromMs(atMs + skewMs));
    this.state = {
      kind: 'terminated',
      terminated: {
        exitCode: code,
        reason: this.#hadOom ? 'OOMKilled' : reason,
        startedAt: timeText(this.state.startedAtMs),
        finishedAt: timeText(atMs + skewMs),
        containerID: this.containerId,
      },
    };
    const ranMs = atMs + skewMs - Date.parse(this.state.terminated.startedAt);
    if (ranMs >= 2 * MAX_BACK_OFF_MS) this.#backoff.reset();
    this.setup.onExit(this);
  }

  /** Returns the time from the last exit until the next run may start; it doubles each time. */
  nextBackOffMs(): number {
    return this.#backoff.nextMs();
  }

  /** Sends SIGTERM, and SIGKILL at the end of the grace period. */
  stop(graceMs: number): void {
    if (!this.running || this.#stopping) return;
    this.#stopping = true;
    const { cluster } = this.setup;
    this.flush();
    if (!this.running) return;
    const { containerId } = this;
    const isSame = () => this.running && this.containerId === containerId;
    const plan = this.setup.behavior()?.stop;
    const afterMs = durationMs(plan?.after ?? '200ms');
    if (graceMs === 0 || plan?.ignore === true || afterMs > graceMs) {
      cluster.clock.after(graceMs, () => {
        if (!isSame()) return;
        this.flush();
        this.end(137, 'Error');
      });
      return;
    }
    const random = cluster.random('stop', containerId ?? '');
    for (const emission of fixedLines(plan?.lines ?? [], cluster.clock.now(), random)) this.#write(emission);
    cluster.clock.after(afterMs, () => {
      if (!isSame()) return;
      this.flush();
      const code = plan?.code ?? 0;
      this.end(code, code === 0 ? 'Completed' : 'Error');
    });
  }

  #write(emission: Emission): boolean {
    const { runtime, skewMs } = this.setup;
    const { containerId } = this;
    if (containerId === undefined) return true;
    const at = skewMs === 0 ? emission.at : shifted(emission.at, skewMs);
    if (emission.partial) {
      runtime.append(containerId, { bytes: emission.bytes, stream: emission.stream, at, partial: true });
      return true;
    }
    if (emission.bytes.length === 0 && !emission.newline) return true;
    const bytes = emission.newline ? withNewline(emission.bytes) : emission.bytes;
    return runtime.write(containerId, { bytes, stream: emission.stream, at });
  }
}

/** pkg/kubelet/kuberuntime shows containerd's start error until the back-off begins. */
function runContainerError(last: Terminated): ContainerView['state'] {
  return { kind: 'waiting', reason: 'RunContainerError', message: last.message };
}

function startErrorOf(state: ContainerView['state']): Terminated | undefined {
  return state.kind === 'terminated' && state.terminated.reason === START_ERROR
    ? state.terminated
    : undefined;
}

function withNewline(bytes: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafe(bytes.length + 1);
  out.set(bytes);
  out[bytes.length] = 0x0a;
  return out;
}

function shifted(at: Emission['at'], ms: number): Emission['at'] {
  const whole = timestampFromMs(timestampToMs(at) + ms);
  return { seconds: whole.seconds, nanos: whole.nanos + (at.nanos % 1_000_000) };
}
