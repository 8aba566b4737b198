import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { backfillRun } from './backfill.ts';
import { EntryClock } from './entry-clock.ts';
import { NodeStates } from './node-states.ts';
import { OpenFiles } from './open-files.ts';
import { ProcessRun } from './process-run.ts';
import { Compressor } from './rotated-files.ts';
import { type RotationPolicy, RunLog } from './run-log.ts';
import { containerIdOf, logFilePath, pathOnNode } from './run-place.ts';
import { RunTable } from './run-table.ts';
import type { ContainerRun, ContainerRuntime, NodeState, RunIdentity } from './runtime.ts';

export interface RuntimeOptions {
  /** The nodes' /var/log/pods go below it, a folder each. */
  readonly directory: string;
  readonly clock: Clock;
  /** Of container IDs and of the digits below a millisecond. */
  readonly seed?: number;
  /** containerLogMaxSize 10 MiB, containerLogMaxFiles 5, containerLogMonitorInterval 10 s, when left out. */
  readonly rotation?: Partial<RotationPolicy>;
}

/** What the node agent reads through. */
export interface LogAccess {
  readonly nodes: NodeStates;
  /** A log that the runtime still has, flushed, and its path as the node names it. */
  find(containerId: string): { readonly log: RunLog; readonly pathOnNode: string } | undefined;
}

export interface SimulatedRuntime extends ContainerRuntime {
  readonly access: LogAccess;
}

/** Starts the simulated runtime of all nodes. See ContainerRuntime; the node agent is made from it. */
export function createRuntime(options: RuntimeOptions): SimulatedRuntime {
  const { directory, clock, seed = 1 } = options;
  const policy = {
    maxBytes: 10 * 1024 * 1024,
    maxFiles: 5,
    intervalMs: 10_000,
    lostEntries: 0,
    ...options.rotation,
  };
  const nodes = new NodeStates(clock);
  const files = new OpenFiles();
  const compressor = new Compressor();
  const table = new RunTable();

  function start(identity: RunIdentity, at: Timestamp | undefined): ProcessRun {
    const path = logFilePath(directory, identity);
    const before = table.runs(identity.podUid, identity.container).at(-1);
    if (before !== undefined && before.exit === undefined) {
      throw new Error(`${before.containerId} still runs: a container has one run at a time`);
    }
    const containerId = containerIdOf(seed, identity);
    const zoneMinutes = () => nodes.zoneMinutes(identity.node);
    const run = new ProcessRun({
      identity,
      containerId,
      startedAt: at ?? timestampFromMs(clock.now()),
      log: new RunLog({ path, policy, clock, files, compressor, zoneMinutes }),
      times: new EntryClock(clock, Number.parseInt(containerId.slice(-8), 16)),
      isRuntimeDown: () => nodes.isRuntimeDown(identity.node),
    });
    table.add(run);
    return run;
  }

  function finish(run: ProcessRun, code: number, at: Timestamp | undefined): void {
    if (run.exit !== undefined) throw new Error(`${run.containerId} has ended already`);
    run.finish(code, at ?? timestampFromMs(clock.now()), at);
    // The kubelet keeps one dead run a container (MaxPerPodContainerCount): the one that just ended.
    for (const old of table.runs(run.identity.podUid, run.identity.container)) {
      if (old !== run) discard(old);
    }
  }

  function discard(run: ProcessRun): void {
    table.delete(run);
    run.abort(timestampFromMs(clock.now()));
    run.log.remove();
  }

  return {
    access: {
      nodes,
      find(containerId) {
        const run = table.find(containerId);
        if (run === undefined) return undefined;
        run.log.flush();
        return { log: run.log, pathOnNode: pathOnNode(run.identity) };
      },
    },
    startRun: (identity, at) => describe(start(identity, at)),
    write: (containerId, output) => table.get(containerId).write(output),
    append: (containerId, entry) => table.get(containerId).append(entry),
    backfill(containerId, outputs, signal) {
      const run = table.get(containerId);
      return backfillRun(
        run,
        outputs,
        (callback) => nodes.onRuntimeStart(run.identity.node, callback),
        signal,
      );
    },
    exit(containerId, code, at) {
      const run = table.get(containerId);
      finish(run, code, at);
      return describe(run);
    },
    rotate: (containerId, lostEntries) => table.get(containerId).log.rotate(clock.now(), lostEntries),
    removeRun: (containerId) => discard(table.get(containerId)),
    removePod(podUid) {
      const runs = table.runsOfPod(podUid);
      for (const run of runs) discard(run);
      const path = runs[0]?.log.path;
      if (path !== undefined) rmSync(dirname(dirname(path)), { recursive: true, force: true });
    },
    deleteLogFile: (containerId) => table.get(containerId).log.deleteFile(),
    run(containerId) {
      const run = table.find(containerId);
      return run === undefined ? undefined : describe(run);
    },
    runs: (podUid, container) => table.runs(podUid, container).map(describe),
    node: (name): NodeState => nodes.state(name),
    setTimeZone: (name, zoneMinutes) => nodes.setTimeZone(name, zoneMinutes),
    kubeletDown: (name) => nodes.kubeletDown(name),
    kubeletUp: (name, startingMs = 2000) => nodes.kubeletUp(name, startingMs),
    runtimeDown: (name) => nodes.runtimeDown(name),
    runtimeUp(name, settlingMs = 1000) {
      nodes.runtimeUp(name, settlingMs);
      for (const run of table.runsOfNode(name)) run.drain();
    },
    nodeDown(name) {
      nodes.kubeletDown(name);
      for (const run of table.runsOfNode(name)) run.abort(timestampFromMs(clock.now()));
      nodes.runtimeDown(name);
    },
    nodeUp(name) {
      nodes.kubeletUp(name, 2000);
      nodes.runtimeUp(name, 1000);
    },
    async idle() {
      for (const run of table.all()) run.log.flush();
      await compressor.idle();
    },
    async close() {
      for (const run of table.all()) run.log.close();
      files.close();
      await compressor.idle();
    },
  };
}

function describe(run: ProcessRun): ContainerRun {
  const { identity, containerId, startedAt, exit, log } = run;
  return { ...identity, containerId, startedAt, exit, logFile: log.path };
}
