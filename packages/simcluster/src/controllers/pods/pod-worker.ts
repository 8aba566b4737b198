import type { ContainerRuntime } from '../../kubelet/runtime.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Cluster } from '../cluster.ts';
import { type ContainerSpec, graceMs, podSpec } from '../objects.ts';
import type { Behaviors } from './behaviors.ts';
import { missingConfig } from './container-config.ts';
import { ContainerWorker } from './container-worker.ts';
import { setDisruption } from './disruption.ts';
import { bringImage } from './image-pulls.ts';
import { startErrorText } from './image-refusal.ts';
import { failedStartEvents, podEvent, startEvents } from './pod-events.ts';
import { type ContainerView, type PodFailure, podPhase, writePodStatus } from './pod-status.ts';
import type { ProbeKind } from './probes.ts';
import type { Registries } from './registries.ts';
import { goDuration, restartsAfter } from './restart-rules.ts';
import { makeSandbox, type NetworkFault } from './sandboxes.ts';
import { mountVolumes, type VolumeFault } from './volume-mounts.ts';

/** What a pod's worker needs. */
export interface PodSetup {
  readonly cluster: Cluster;
  readonly runtime: ContainerRuntime;
  readonly behaviors: Behaviors;
  readonly registries: Registries;
  readonly volumeFaults: readonly VolumeFault[];
  readonly networkFaults: readonly NetworkFault[];
  readonly skewMs: number;
  readonly hostIP: string;
  readonly podIP: string;
  /** While the node's kubelet is down, nothing starts and nothing is reported. */
  kubeletUp(): boolean;
  onGone(): void;
}

/** Time between an exit and the kubelet's next sync of the pod. */
const SYNC_MS = 1000;

/** Does what a kubelet does for one pod: runs its containers in order, restarts them, reports, and ends them. */
export class PodWorker {
  readonly uid: string;
  readonly #setup: PodSetup;
  #pod: StoredObject;
  #containers: ContainerWorker[];
  #sandboxReady = false;
  #startTimeMs = 0;
  #deleting = false;
  #gone = false;
  #finishing = false;
  #failure: PodFailure | undefined;

  constructor(pod: StoredObject, setup: PodSetup) {
    this.#pod = pod;
    this.uid = pod.metadata.uid;
    this.#setup = setup;
    const spec = podSpec(pod);
    const inits = (spec.initContainers ?? []).map((c) =>
      this.#worker(c, c.restartPolicy === 'Always' ? 'sidecar' : 'init'),
    );
    this.#containers = [...inits, ...spec.containers.map((c) => this.#worker(c, 'regular'))];
    if (inits.length > 0) {
      for (const c of this.#containers) c.state = { kind: 'waiting', reason: 'PodInitializing' };
    }
  }

  get containers(): readonly ContainerWorker[] {
    return this.#containers;
  }

  get name(): string {
    return `${this.#pod.metadata.namespace}/${this.#pod.metadata.name}`;
  }

  /** Whether nothing may start any more. */
  get #isOver(): boolean {
    return this.#deleting || this.#gone || this.#failure !== undefined;
  }

  begin(): void {
    this.#later(300, () => {
      this.#startTimeMs = this.#setup.cluster.clock.now();
      this.publish();
      const creating = this.#containers.find((c) => c.setup.behavior()?.state === 'creating');
      if (creating !== undefined) {
        this.#event(
          'Warning',
          'FailedMount',
          `MountVolume.SetUp failed for volume "config" : configmap "${creating.name}" not found`,
        );
        return;
      }
      mountVolumes({
        cluster: this.#setup.cluster,
        faults: this.#setup.volumeFaults,
        pod: this.#pod,
        isOver: () => this.#isOver,
        onMounted: () => this.#makeSandbox(),
      });
    });
  }

  #makeSandbox(): void {
    this.#later(400, () => {
      makeSandbox({
        cluster: this.#setup.cluster,
        faults: this.#setup.networkFaults,
        pod: this.#pod,
        isOver: () => this.#isOver,
        onMade: () => {
          this.#sandboxReady = true;
          this.publish();
          this.#advance();
        },
      });
    });
  }

  /** Evicts the pod because its node lacks a resource: the pod fails, and its containers are killed. */
  evict(message: string): void {
    if (this.#isOver) return;
    const { cluster } = this.#setup;
    this.#failure = { reason: 'Evicted', message };
    this.#event('Warning', 'Evicted', message);
    setDisruption(cluster, this.#pod, 'TerminationByKubelet', message);
    this.#stopRunning(this.#containers, 0);
    this.publish();
  }

  /** Handles a reboot of the node: no process is left, and the kubelet creates everything again. */
  rebooted(): void {
    if (this.#gone || this.#startTimeMs === 0) return;
    this.#event('Normal', 'SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
    // containerd, pkg/cri/server/restart.go (unknownContainerStatus).
    for (const container of this.#containers) container.end(255, 'Unknown');
  }

  /** Handles a change of the pod in the store: a deletion may have started, or an ephemeral container was added. */
  changed(pod: StoredObject): void {
    this.#pod = pod;
    for (const spec of podSpec(pod).ephemeralContainers ?? []) {
      if (this.#containers.some((c) => c.name === spec.name)) continue;
      const worker = this.#worker(spec as ContainerSpec, 'ephemeral');
      this.#containers.push(worker);
      this.publish();
      this.#startContainer(worker);
    }
    if (pod.metadata.deletionTimestamp !== undefined && !this.#deleting && this.#setup.kubeletUp())
      this.#beginDeletion();
    // The condition of a gate may have changed.
    if (podSpec(pod).readinessGates !== undefined && this.#startTimeMs > 0) this.publish();
  }

  /** Handles the removal of the pod from the store (a forced deletion, or the end of a graceful one). */
  removed(): void {
    if (this.#gone) return;
    this.#gone = true;
    for (const container of this.#containers) {
      container.flush();
      container.end(137, 'Error');
    }
    this.#setup.runtime.removePod(this.uid);
    this.#setup.onGone();
  }

  /** Resumes when the kubelet is back: reports what happened meanwhile and does pending work. */
  resync(): void {
    if (this.#pod.metadata.deletionTimestamp !== undefined && !this.#deleting) this.#beginDeletion();
    else if (this.#deleting && this.#containers.every((c) => !c.running)) this.#finishDeletion();
    if (this.#startTimeMs === 0) return;
    this.publish();
    for (const container of this.#containers) {
      if (container.state.kind === 'terminated') this.#afterExit(container);
      // A restarted kubelet has forgotten its back-offs.
      else if (container.state.kind === 'waiting' && container.containerId !== undefined)
        this.#startContainer(container);
    }
    if (this.#sandboxReady) this.#advance();
  }

  /** Writes the status if it differs. */
  publish(): void {
    const { cluster, hostIP, podIP } = this.#setup;
    if (this.#gone || !this.#setup.kubeletUp()) return;
    writePodStatus(cluster, this.#pod, {
      containers: this.#containers.map((c) => c.view()),
      sandboxReady: this.#sandboxReady,
      startTimeMs: this.#startTimeMs,
      podIP: podSpec(this.#pod).hostNetwork === true ? hostIP : podIP,
      hostIP,
      failure: this.#failure,
    });
  }

  /** Starts the next containers: init containers one by one, then the others together. */
  #advance(): void {
    if (this.#isOver || !this.#setup.kubeletUp()) return;
    const inits = this.#containers.filter(({ kind }) => kind === 'init' || kind === 'sidecar');
    if (!inits.every((container) => this.#advancePast(container))) return;
    for (const container of this.#containers) {
      if (container.kind === 'regular' && container.containerId === undefined)
        this.#startContainer(container);
    }
  }

  /** Starts an init container or sidecar if it is next; returns true if the following one may start. */
  #advancePast(container: ContainerWorker): boolean {
    const { kind, state } = container;
    const isSidecar = kind === 'sidecar';
    const hasSucceeded = state.kind === 'terminated' && state.terminated.exitCode === 0;
    if (isSidecar ? container.running : hasSucceeded) return true;
    if (container.containerId === undefined) this.#startContainer(container);
    return isSidecar && container.running;
  }

  #startContainer(container: ContainerWorker): void {
    if (container.starting || container.running) return;
    container.starting = true;
    const begin = () => {
      if (this.#isOver) return;
      if (!this.#setup.kubeletUp()) {
        container.starting = false;
        return;
      }
      bringImage(container, {
        cluster: this.#setup.cluster,
        pod: () => this.#pod,
        isOver: () => this.#isOver,
        publish: () => this.publish(),
        onImage: () => this.#run(container),
      });
    };
    this.#later(container.restartCount === 0 && container.containerId === undefined ? 500 : 50, begin);
  }

  #run(container: ContainerWorker): void {
    container.starting = false;
    const failure = startErrorText(container.setup.spec, container.setup.behavior()?.startError);
    if (failure !== undefined) {
      failedStartEvents(this.#setup.cluster, this.#pod, container, failure);
      container.failStart(failure);
      return;
    }
    startEvents(this.#setup.cluster, this.#pod, container);
    container.start();
    if (container.setup.behavior()?.postStart === 'fails') this.#failHook(container);
    this.publish();
    if (container.kind === 'sidecar') this.#advance();
  }

  /** Stops a container whose hook failed: pkg/kubelet/kuberuntime/kuberuntime_container.go, startContainer. */
  #failHook(container: ContainerWorker): void {
    this.#event('Warning', 'FailedPostStartHook', 'PostStartHook failed', container);
    this.#event('Normal', 'Killing', 'FailedPostStartHook', container);
    container.stop(graceMs(this.#pod));
  }

  #exited(container: ContainerWorker): void {
    if (this.#gone) return;
    this.publish();
    if (this.#deleting) {
      if (this.#containers.every((c) => !c.running)) this.#finishDeletion();
      return;
    }
    if (this.#failure !== undefined) return;
    this.#setup.cluster.clock.after(SYNC_MS, () => this.#afterExit(container));
  }

  #afterExit(container: ContainerWorker): void {
    if (this.#isOver || container.state.kind !== 'terminated' || !this.#setup.kubeletUp()) return;
    const { terminated } = container.state;
    const nowMs = this.#setup.cluster.clock.now() + this.#setup.skewMs;
    if (!this.#restarts(container, terminated.exitCode)) {
      this.#advanceOrFinish();
      return;
    }
    const backOffMs = container.nextBackOffMs();
    const leftMs = Date.parse(terminated.finishedAt) + backOffMs - nowMs;
    if (leftMs <= 0) {
      this.#startContainer(container);
      return;
    }
    const pod = `${this.#pod.metadata.name}_${this.#pod.metadata.namespace}(${this.uid})`;
    const message = `back-off ${goDuration(backOffMs)} restarting failed container=${container.name} pod=${pod}`;
    container.last = terminated;
    container.state = { kind: 'waiting', reason: 'CrashLoopBackOff', message };
    this.#event(
      'Warning',
      'BackOff',
      `Back-off restarting failed container ${container.name} in pod ${pod}`,
      container,
    );
    this.publish();
    this.#setup.cluster.clock.after(leftMs, () => {
      if (container.state.kind === 'waiting') this.#startContainer(container);
    });
  }

  #restarts(container: ContainerWorker, exitCode: number): boolean {
    const policy = podSpec(this.#pod).restartPolicy ?? 'Always';
    return restartsAfter(container.kind, exitCode, policy, this.#finishing);
  }

  #advanceOrFinish(): void {
    const views: ContainerView[] = this.#containers.map((c) => c.view());
    const regularDone = this.#containers
      .filter((c) => c.kind === 'regular')
      .every((c) => c.state.kind === 'terminated' && !this.#restarts(c, c.state.terminated.exitCode));
    if (regularDone && podPhase(podSpec(this.#pod), views) !== 'Pending') {
      this.#finishing = true;
      this.#stopRunning(
        this.#containers.filter(({ kind }) => kind === 'sidecar'),
        graceMs(this.#pod),
      );
      this.publish();
      return;
    }
    this.#advance();
    this.publish();
  }

  #beginDeletion(): void {
    this.#deleting = true;
    const running = this.#containers.filter((c) => c.running);
    this.#stopRunning(running, graceMs(this.#pod));
    this.publish();
    if (running.length === 0) this.#later(100, () => this.#finishDeletion());
  }

  #finishDeletion(): void {
    const { cluster } = this.#setup;
    this.publish();
    this.#later(500, () => {
      if (this.#gone || !this.#setup.kubeletUp()) return;
      const { namespace, name } = this.#pod.metadata;
      const current = cluster.store.get('pods', namespace, name);
      if (current?.metadata.uid !== this.uid) return;
      cluster.store.update('pods', namespace, name, (object) => {
        object.metadata.deletionGracePeriodSeconds = 0;
        return undefined;
      });
      if ((current.metadata.finalizers ?? []).length === 0) cluster.store.remove('pods', namespace, name);
    });
  }

  /** Stops containers of a pod that leaves or ends: pkg/kubelet/kuberuntime/kuberuntime_container.go, killContainer. */
  #stopRunning(containers: readonly ContainerWorker[], grace: number): void {
    for (const container of containers) {
      if (!container.running) continue;
      this.#event('Normal', 'Killing', `Stopping container ${container.name}`, container);
      container.stop(grace);
    }
  }

  #worker(spec: ContainerSpec, kind: ContainerWorker['kind']): ContainerWorker {
    const { cluster, runtime, behaviors, registries, skewMs } = this.#setup;
    const { namespace = '', name: pod, uid: podUid } = this.#pod.metadata;
    const node = podSpec(this.#pod).nodeName ?? '';
    return new ContainerWorker({
      cluster,
      runtime,
      skewMs,
      spec,
      kind,
      toEnd:
        kind === 'init' ||
        (kind === 'regular' && (podSpec(this.#pod).restartPolicy ?? 'Always') !== 'Always'),
      identity: { node, namespace, pod, podUid, container: spec.name },
      registries,
      behavior: () => behaviors.of(this.#pod, spec),
      behaviorProblem: behaviors.problemOf(spec),
      podIP: this.#setup.podIP,
      isProbed: () => !this.#isOver && this.#setup.kubeletUp(),
      missingConfig: () => missingConfig(cluster.store, namespace, spec),
      onExit: (worker) => this.#exited(worker),
      onUnhealthy: (worker, probe, message) => this.#unhealthy(worker, probe, message),
      onDead: (worker, probe) => this.#restartUnhealthy(worker, probe),
      onReadiness: () => this.publish(),
    });
  }

  /** Records a failed probe: pkg/kubelet/prober/prober.go. */
  #unhealthy(container: ContainerWorker, probe: ProbeKind, message: string): void {
    const kind = `${probe.charAt(0).toUpperCase()}${probe.slice(1)}`;
    this.#event('Warning', 'Unhealthy', `${kind} probe failed: ${message}`, container);
  }

  /** Restarts a container after failed probes: pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodActions. */
  #restartUnhealthy(container: ContainerWorker, probe: ProbeKind): void {
    const message = `Container ${container.name} failed ${probe} probe, will be restarted`;
    this.#event('Normal', 'Killing', message, container);
    container.stop(graceMs(this.#pod));
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string, container?: ContainerWorker): void {
    podEvent(this.#setup.cluster, this.#pod, [type, reason, message], container);
  }

  /** Acts after about this time; at once in a scenario without start delays. */
  #later(ms: number, act: () => void): void {
    const { cluster } = this.#setup;
    if (!cluster.realDelays) {
      act();
      return;
    }
    const jitter = cluster.random('delay', this.uid, ms, cluster.clock.now()).int(-20, 40) / 100;
    cluster.clock.after(Math.round(ms * (1 + jitter)), () => {
      if (!this.#gone) act();
    });
  }
}
