import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { parseTimestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ApiCall } from './api/http/call-log.ts';
import { type ApiServer, startApiServer } from './api/http/server.ts';
import { type ClusterControl, createControl } from './control/cluster-control.ts';
import { startRootCertificates } from './controllers/namespaces/namespace-contents.ts';
import type { Fault } from './faults/fault.ts';
import { createNodeAgent } from './kubelet/create-node-agent.ts';
import { readEvent } from './scenario/check-input.ts';
import { containersOf } from './scenario/event-targets.ts';
import { loadScenario } from './scenario/load.ts';
import type { Simulation } from './scenario/simulation.ts';
import { startSimulation } from './scenario/start-simulation.ts';
import { SimClusterError } from './simcluster-error.ts';
import type { Store } from './store/store.ts';

interface OpenDirectory {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

const temporary = new Set<string>();

export type { SimClusterFailures } from './simcluster-error.ts';

export interface SimClusterOptions {
  /** Path of a scenario file, or the scenario itself (an object of the published schema). */
  readonly scenario: string | unknown;
  /** Drives controllers, kubelets, log generators and the timeline; default: the machine's clock. */
  readonly clock?: Clock;
  /** Seed of every random choice; default: the scenario's own. */
  readonly seed?: number;
  /** Folder for kubeconfigs, certificates and log files; default: a temporary folder, which close() removes. */
  readonly directory?: string;
  /** Port of the API server; default: a free one. */
  readonly port?: number;
}

export interface SimCluster {
  /** https://127.0.0.1:PORT */
  readonly server: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly caCertificate: string;
  /** Returns the bearer token of a user in the scenario. Throws if the user does not exist or has no token. */
  tokenOf(user: string): string;
  /** Path of the kubeconfig: a context per user of the scenario; the current one is the administrator. */
  readonly kubeconfig: string;
  readonly store: Store;
  /** Folder with the layout of /var/log/pods: one such folder per node. */
  readonly logDirectory: string;
  inject(fault: Fault): void;
  clearFaults(): void;
  /** Number of faults that have affected a request since the start. */
  readonly faultsHit: number;
  /** Requests seen since the start, `METHOD path?query`, newest last, at most the last 10,000. */
  readonly requests: readonly string[];
  /** The same requests with the status of each response, as in an audit log. */
  readonly calls: readonly ApiCall[];
  /**
   * Appends one entry to the log of a running container (as its runtime would); writes only to the CRI file. Without
   * `at`, uses the clock's time.
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
  /** Actions of tests on a running cluster: lines, pods, access, and failures of the server. */
  readonly control: ClusterControl;
  /** Plays a pod event as the timeline of a scenario would. */
  act(event: unknown): Promise<void>;
  /** Stops listening, like a restart of the API server; `startServer` resumes with the same port, keys and data. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a simulated cluster: builds the scenario, plays its history, serves its API on loopback. Throws a
 * SimClusterError if the scenario is invalid, or if its history names something that does not exist.
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
      staleGroups: simulation.cluster.staleGroups,
    });
    startRootCertificates(simulation.cluster, server.caCertificate);
    return simCluster(simulation, server, logDirectory, removeDirectory);
  } catch (error) {
    await simulation?.close();
    await removeDirectory();
    throw error;
  }
}

/** Reports a later event of the timeline that cannot be played; it ends nothing. */
function complain(error: unknown): void {
  const text =
    error instanceof SimClusterError ? error.what : error instanceof Error ? error.stack : String(error);
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
    caCertificate: server.caCertificate,
    tokenOf: (user) => server.credentials.tokenOf(user),
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

/**
 * Returns the given folder, which stays; else a temporary one, which is removed when the process ends, at the latest.
 */
function openDirectory(given: string | undefined): OpenDirectory {
  if (given !== undefined) return { path: given, remove: async () => undefined };
  // Synchronous, so that no signal can arrive between creating the folder and noting it.
  const path = mkdtempSync(join(tmpdir(), 'simcluster-'));
  if (temporary.add(path).size === 1) process.on('exit', removeAll);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      if (temporary.delete(path) && temporary.size === 0) process.off('exit', removeAll);
    },
  };
}

/** Removes all temporary folders when the process exits; a killed process cannot. */
function removeAll(): void {
  for (const path of temporary) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Nothing else can be done, and a stack trace does not help.
    }
  }
}
