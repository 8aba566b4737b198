import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { backfillRun } from './backfill.ts';
import type { LogAccess } from './create-node-agent.ts';
import { EntryClock } from './entry-clock.ts';
import { NodeStates } from './node-states.ts';
import { OpenFiles } from './open-files.ts';
import { ProcessRun } from './process-run.ts';
import { Compressor } from './rotated-files.ts';
import { type RotationPolicy, RunLog } from './run-log.ts';
import { RunTable } from './run-table.ts';
import type {
  ContainerRun,
  ContainerRuntime,
  LogEntry,
  NodeState,
  ProcessOutput,
  RunIdentity,
} from './runtime.ts';

/** Object names must not lead out of the log folder, whatever a scenario contains. */
const NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/;

export interface RuntimeOptions {
  /** Contains one folder for each node's /var/log/pods. */
  readonly directory: string;
  readonly clock: Clock;
  /** Determines container IDs and the digits below a millisecond. */
  readonly seed?: number;
  /** Default: containerLogMaxSize 10 MiB, containerLogMaxFiles 5, containerLogMonitorInterval 10 s. */
  readonly rotation?: Partial<RotationPolicy>;
}

const DEFAULT_ROTATION: RotationPolicy = {
  maxBytes: 10 * 1024 * 1024,
  maxFiles: 5,
  intervalMs: 10_000,
  lostEntries: 0,
};

/** The runtime of all nodes, with logs in files on this machine; the node agent reads them through `access`. */
export class SimulatedRuntime implements ContainerRuntime {
  readonly access: LogAccess;
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #seed: number;
  readonly #policy: RotationPolicy;
  readonly #nodes: NodeStates;
  readonly #files = new OpenFiles();
  readonly #compressor = new Compressor();
  readonly #table = new RunTable();

  constructor({ directory, clock, seed = 1, rotation }: RuntimeOptions) {
    this.#directory = directory;
    this.#clock = clock;
    this.#seed = seed;
    this.#policy = { ...DEFAULT_ROTATION, ...rotation };
    this.#nodes = new NodeStates(clock);
    this.access = {
      nodes: this.#nodes,
      find: (containerId) => this.#find(containerId),
      podLogs: (node) => this.#podLogs(node),
    };
  }

  startRun(identity: RunIdentity, at?: Timestamp): ContainerRun {
    const before = this.#table.runs(identity.podUid, identity.container).at(-1);
    if (before !== undefined && before.exit === undefined) {
      throw new Error(`${before.containerId} still runs: a container has one run at a time`);
    }
    const containerId = containerIdOf(this.#seed, identity);
    const run = new ProcessRun({
      identity,
      containerId,
      startedAt: at ?? this.#now(),
      log: this.#logOf(identity),
      times: new EntryClock(this.#clock, Number.parseInt(containerId.slice(-8), 16)),
      isRuntimeDown: () => this.#nodes.isRuntimeDown(identity.node),
    });
    this.#table.add(run);
    return describe(run);
  }

  write(containerId: string, output: ProcessOutput): boolean {
    return this.#table.get(containerId).write(output);
  }

  append(containerId: string, entry: LogEntry): Timestamp {
    return this.#table.get(containerId).append(entry);
  }

  backfill(
    containerId: string,
    outputs: Iterable<ProcessOutput> | AsyncIterable<ProcessOutput>,
    signal?: AbortSignal,
  ): Promise<void> {
    const run = this.#table.get(containerId);
    const onRuntimeStart = (callback: () => void) => this.#nodes.onRuntimeStart(run.identity.node, callback);
    return backfillRun(run, outputs, onRuntimeStart, signal);
  }

  exit(containerId: string, code: number, at?: Timestamp): ContainerRun {
    const run = this.#table.get(containerId);
    if (run.exit !== undefined) throw new Error(`${run.containerId} has ended already`);
    run.finish(code, at ?? this.#now(), at);
    // The kubelet keeps one ended run for each container (MaxPerPodContainerCount): the one that just ended.
    for (const old of this.#table.runs(run.identity.podUid, run.identity.container)) {
      if (old !== run) this.#discard(old);
    }
    return describe(run);
  }

  rotate(containerId: string, lostEntries?: number): void {
    this.#table.get(containerId).log.rotate(this.#clock.now(), lostEntries);
  }

  removeRun(containerId: string): void {
    this.#discard(this.#table.get(containerId));
  }

  removePod(podUid: string): void {
    const runs = this.#table.runsOfPod(podUid);
    for (const run of runs) this.#discard(run);
    const path = runs[0]?.log.path;
    if (path !== undefined) rmSync(dirname(dirname(path)), { recursive: true, force: true });
  }

  deleteLogFile(containerId: string): void {
    this.#table.get(containerId).log.deleteFile();
  }

  run(containerId: string): ContainerRun | undefined {
    const run = this.#table.find(containerId);
    return run === undefined ? undefined : describe(run);
  }

  runs(podUid: string, container: string): readonly ContainerRun[] {
    return this.#table.runs(podUid, container).map(describe);
  }

  node(name: string): NodeState {
    return this.#nodes.state(name);
  }

  setTimeZone(node: string, zoneMinutes: number): void {
    this.#nodes.setTimeZone(node, zoneMinutes);
  }

  disableLogHandler(node: string): void {
    this.#nodes.disableLogHandler(node);
  }

  kubeletDown(node: string): void {
    this.#nodes.kubeletDown(node);
  }

  kubeletUp(node: string, startingMs = 2000): void {
    this.#nodes.kubeletUp(node, startingMs);
  }

  runtimeDown(node: string): void {
    this.#nodes.runtimeDown(node);
  }

  runtimeUp(node: string, settlingMs = 1000): void {
    this.#nodes.runtimeUp(node, settlingMs);
    for (const run of this.#table.runsOfNode(node)) run.drain();
  }

  nodeDown(node: string): void {
    this.#nodes.kubeletDown(node);
    for (const run of this.#table.runsOfNode(node)) run.abort(this.#now());
    this.#nodes.runtimeDown(node);
  }

  nodeUp(node: string): void {
    this.#nodes.kubeletUp(node, 2000);
    this.#nodes.runtimeUp(node, 1000);
  }

  async idle(): Promise<void> {
    for (const run of this.#table.all()) run.log.flush();
    await this.#compressor.idle();
  }

  async close(): Promise<void> {
    for (const run of this.#table.all()) run.log.close();
    this.#files.close();
    await this.#compressor.idle();
  }

  #now(): Timestamp {
    return timestampFromMs(this.#clock.now());
  }

  #find(containerId: string) {
    const run = this.#table.find(containerId);
    if (run === undefined) return undefined;
    run.log.flush();
    return { log: run.log, pathOnNode: pathOnNode(run.identity) };
  }

  #podLogs(node: string): string {
    if (!NAME.test(node) || node.includes('..')) throw new RangeError(`not a name: ${JSON.stringify(node)}`);
    for (const run of this.#table.runsOfNode(node)) run.log.flush();
    return join(this.#directory, node);
  }

  #logOf(identity: RunIdentity): RunLog {
    return new RunLog({
      path: logFilePath(this.#directory, identity),
      policy: this.#policy,
      clock: this.#clock,
      files: this.#files,
      compressor: this.#compressor,
      zoneMinutes: () => this.#nodes.zoneMinutes(identity.node),
    });
  }

  #discard(run: ProcessRun): void {
    this.#table.delete(run);
    run.abort(this.#now());
    run.log.remove();
  }
}

function describe(run: ProcessRun): ContainerRun {
  const { identity, containerId, startedAt, exit, log } = run;
  return { ...identity, containerId, startedAt, exit, logFile: log.path };
}

/** Returns `<namespace>_<pod>_<uid>/<container>/<restartCount>.log`. Throws a RangeError for invalid names. */
function pathInPodLogs(run: RunIdentity): string {
  for (const name of [run.node, run.namespace, run.pod, run.podUid, run.container]) {
    if (!NAME.test(name) || name.includes('..')) throw new RangeError(`not a name: ${JSON.stringify(name)}`);
  }
  if (!Number.isSafeInteger(run.restartCount) || run.restartCount < 0) {
    throw new RangeError(`not a restart count: ${run.restartCount}`);
  }
  return `${podFolder(run)}/${run.container}/${run.restartCount}.log`;
}

function podFolder(run: Pick<RunIdentity, 'namespace' | 'pod' | 'podUid'>): string {
  return `${run.namespace}_${run.pod}_${run.podUid}`;
}

/** Returns the file's path on this machine: the nodes' /var/log/pods are next to each other. */
function logFilePath(directory: string, run: RunIdentity): string {
  return join(directory, run.node, pathInPodLogs(run));
}

/** Returns the file's path on the node, for error texts. */
function pathOnNode(run: RunIdentity): string {
  return `/var/log/pods/${pathInPodLogs(run)}`;
}

/** Returns the container ID of this run for a seed. */
function containerIdOf(seed: number, run: RunIdentity): string {
  const text = [seed, run.podUid, run.container, run.restartCount].join('\0');
  return `containerd://${createHash('sha256').update(text).digest('hex')}`;
}
