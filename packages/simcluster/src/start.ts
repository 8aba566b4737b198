import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { parseTimestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { type ApiCall, type ApiServer, startApiServer } from './api/server.ts';
import { type ClusterControl, createControl } from './control/cluster-control.ts';
import { startRootCertificates } from './controllers/namespace-contents.ts';
import { createNodeAgent } from './kubelet/create-node-agent.ts';
import { openDirectory } from './open-directory.ts';
import { readEvent } from './scenario/check-input.ts';
import { containersOf } from './scenario/event-targets.ts';
import { loadScenario } from './scenario/load.ts';
import { type Simulation, startSimulation } from './scenario/simulation.ts';
import type { Store } from './store.ts';

export interface SimClusterOptions {
  /** Path of a scenario file, or the scenario itself (an object of the published schema). */
  readonly scenario: string | unknown;
  /** Drives controllers, kubelets, log generators and the timeline; the machine's clock when left out. */
  readonly clock?: Clock;
  /** Seed of every random choice; the scenario's own when left out. */
  readonly seed?: number;
  /** Where kubeconfigs, certificates and log files go; a temporary folder, removed by close(), when left out. */
  readonly directory?: string;
  /** Port of the API server; a free one when left out. */
  readonly port?: number;
}

/** A fault, by scenario or by the control endpoint: see simcluster/faults. */
export interface Fault {
  /**
   * Among them `drop-request`: the connection is cut before anything is done, and `drop-answer`: after everything is
   * done, before a byte is answered. Over HTTP/2 what is cut is the one stream (INTERNAL_ERROR, as Go's server does when
   * a handler breaks off); the server killed ends whole connections.
   */
  readonly kind:
    | 'reset'
    | 'drop-request'
    | 'drop-answer'
    | 'clean-end'
    | 'stall'
    | 'delay'
    | 'status'
    | 'drop-watch'
    | 'expire-watch'
    | 'truncate-json'
    | 'split';
  /** Regular expression on `METHOD path?query`; every request when left out. */
  readonly match?: string;
  /** How many matching requests it hits; without end when left out. */
  readonly times?: number;
  /** Matching requests that pass unharmed first. */
  readonly skip?: number;
  /** For reset, clean-end, stall, truncate-json: body bytes that pass first. */
  readonly afterBytes?: number;
  /** For stall and delay. */
  readonly delayMs?: number;
  /** For status: 401, 403, 404, 410, 429, 500, 503, or 200 with `text` as the body. */
  readonly status?: number;
  readonly text?: string;
  readonly retryAfterSeconds?: number;
  /** For split: chunks of that many bytes. */
  readonly chunkBytes?: number;
}

export interface SimCluster {
  /** https://127.0.0.1:PORT */
  readonly server: string;
  /** Path of the kubeconfig: a context per user of the scenario; the current one is the administrator. */
  readonly kubeconfig: string;
  readonly store: Store;
  /** Folder in the layout of /var/log/pods, one per node below it. */
  readonly logDirectory: string;
  inject(fault: Fault): void;
  clearFaults(): void;
  /** Number of faults that have hit a request since the start. */
  readonly faultsHit: number;
  /** Requests seen since the start, `METHOD path?query`, newest last, at most the last 10,000. */
  readonly requests: readonly string[];
  /** The same requests with the status of each answer, as an audit log has them. */
  readonly calls: readonly ApiCall[];
  /**
   * Appends one entry to the log of a running container (as its runtime would): the CRI file is the only place where
   * it goes. Without `at` the clock's time is used.
   */
  writeLog(
    where: { readonly namespace: string; readonly pod: string; readonly container: string },
    entry: {
      readonly bytes: Uint8Array;
      readonly stream?: 'stdout' | 'stderr';
      readonly at?: string;
      readonly partial?: boolean;
    },
  ): Promise<void>;
  /** What tests do to a running cluster: lines, pods, access, and what breaks of the server. */
  readonly control: ClusterControl;
  /** Pod life, as the timeline of a scenario would play it. */
  act(event: unknown): Promise<void>;
  /** Stops listening (and comes back with the same port, keys and data), as a restart of the API server. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a simulated cluster: builds the scenario, lives through its history, serves its API on loopback. Throws a
 * LogtoolError when the scenario is not valid, or when its history names something that is not there.
 */
export async function startSimCluster(options: SimClusterOptions): Promise<SimCluster> {
  const scenario = await loadScenario(options.scenario);
  const { path: directory, remove: removeDirectory } = openDirectory(options.directory);
  let simulation: Simulation | undefined;
  try {
    const logDirectory = join(directory, 'pods');
    await mkdir(logDirectory, { recursive: true });
    const errors: unknown[] = [];
    let started = false;
    simulation = await startSimulation({
      scenario,
      clock: options.clock ?? systemClock,
      seed: options.seed ?? scenario.seed,
      logDirectory,
      report: (error) => void (started ? complain(error) : errors.push(error)),
    });
    if (errors.length > 0) throw errors[0];
    started = true;
    const { store, runtime, clock } = simulation;
    const server = await startApiServer({
      store,
      nodeAgent: createNodeAgent({ store, runtime, clock }),
      users: scenario.users,
      clock,
      directory,
      port: options.port,
      faults: scenario.faults as readonly Fault[],
      clusterName: scenario.clusterName,
      namespace: simulation.defaultNamespace,
    });
    startRootCertificates(simulation.cluster, server.caCertificate);
    return simCluster(simulation, server, logDirectory, removeDirectory);
  } catch (error) {
    await simulation?.close();
    await removeDirectory();
    throw error;
  }
}

/** An event of the timeline that cannot be played later on ends nothing, but is said. */
function complain(error: unknown): void {
  const text =
    error instanceof LogtoolError ? error.what : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`simulated cluster: ${text}\n`);
}

function simCluster(
  simulation: Simulation,
  server: ApiServer,
  logDirectory: string,
  removeDirectory: () => Promise<void>,
): SimCluster {
  let closing: Promise<void> | undefined;
  return {
    server: server.url,
    kubeconfig: server.kubeconfig,
    store: simulation.store,
    logDirectory,
    inject: (fault) => server.inject(fault),
    clearFaults: () => server.clearFaults(),
    get faultsHit() {
      return server.faultsHit;
    },
    get requests() {
      return server.requests;
    },
    get calls() {
      return server.calls;
    },
    async writeLog(where, entry) {
      const at = entry.at === undefined ? timestampFromMs(simulation.clock.now()) : parseTimestamp(entry.at);
      if (at === undefined) throw new RangeError(`${entry.at} is not an RFC 3339 time`);
      for (const { container } of containersOf(simulation, where)) {
        container.flush();
        if (container.containerId === undefined) throw new Error(`${where.container} has not run yet`);
        const { bytes, stream = 'stdout', partial = false } = entry;
        simulation.runtime.append(container.containerId, { bytes, stream, partial, at });
      }
    },
    control: createControl(simulation, server),
    async act(event) {
      simulation.act(readEvent(event));
    },
    stopServer: () => server.stop(),
    startServer: () => server.start(),
    close() {
      closing ??= (async () => {
        await server.close();
        await simulation.close();
        await removeDirectory();
      })();
      return closing;
    },
  };
}
