import type { ServerUser } from '../access/credentials.ts';
import type { ApiServer } from '../api/http/server.ts';
import { readEvent } from '../scenario/check-input.ts';
import type { ContainerTarget, PodsTarget } from '../scenario/event-targets.ts';
import type { Simulation } from '../scenario/simulation.ts';
import { type AccessRule, denyNamespace, setRules } from './access-rules.ts';
import { type Burst, type LinesToWrite, type LinesWritten, writeBurst, writeLines } from './write-lines.ts';

/**
 * Actions of a test on a running cluster, besides its scenario's timeline and its faults. Every function takes one
 * object, and is also an address of the control endpoint: `POST /control/NAME` with that object as JSON. Each acts
 * before it resolves. Throws a SimClusterError that names a missing target.
 */
export interface ClusterControl {
  /** Writes lines to a container (or to one container of each pod of a workload), all at once. */
  writeLines(lines: LinesToWrite): Promise<readonly LinesWritten[]>;
  /** Writes lines at a rate; resolves after the last line. */
  writeBurst(burst: Burst): Promise<readonly LinesWritten[]>;
  rotateLog(target: ContainerTarget): Promise<void>;

  /** Deletes a pod as `kubectl delete pod` does; with 0 seconds, removes it at once. */
  deletePod(target: PodsTarget & { readonly gracePeriodSeconds?: number }): Promise<void>;
  /** Ends the process of a container as if by itself; the default exit code is 1. */
  crashContainer(target: ContainerTarget & { readonly code?: number }): Promise<void>;
  scale(target: {
    readonly namespace?: string;
    readonly workload: string;
    readonly replicas: number;
  }): Promise<void>;

  /** Kills the API server: resets every connection; its port refuses new ones. */
  killServer(options?: Record<string, never>): Promise<void>;
  /** Kills the API server and restarts it with the same port, keys and data, after `downMs` if set. */
  restartServer(options?: { readonly downMs?: number }): Promise<void>;
  /** Cuts the running watches whose `METHOD path?query` matches; does not affect later ones. */
  dropWatches(options?: { readonly match?: string }): Promise<{ readonly dropped: number }>;
  /**
   * Cuts running log responses. `end` ends them in order, as the restart of a kubelet does: the client cannot
   * distinguish it from the end of the container. Default: `reset`.
   */
  cutLogs(options?: {
    readonly match?: string;
    readonly how?: 'reset' | 'end';
  }): Promise<{ readonly cut: number }>;

  /**
   * Lets a server on a port of 127.0.0.1 answer at an address of the cluster, as that of a pod in an EndpointSlice, for
   * the API server's own requests: those to the services of APIServices. Port 0: nothing listens there any more.
   * The API server then checks at once whether those services answer. Addresses of loopback need no route.
   */
  routeAddress(route: {
    readonly address: string;
    readonly port: number;
    readonly localPort: number;
  }): Promise<void>;

  /** Replaces a user's permissions with these rules. */
  setRules(access: { readonly user: string; readonly rules: readonly AccessRule[] }): Promise<void>;
  /**
   * Removes a user's permissions in one namespace and keeps them in the other current namespaces. RBAC cannot deny, so
   * cluster-wide permissions become permissions in each other namespace: the user can no longer list across all
   * namespaces.
   */
  denyNamespace(access: { readonly user: string; readonly namespace: string }): Promise<void>;
  /** Revokes a user's token, which then gets 401. Running requests continue, as in a real cluster. */
  revokeToken(options: { readonly user: string }): Promise<void>;
  /** Issues a new token for a user and writes it to the kubeconfig. */
  renewToken(options: { readonly user: string }): Promise<void>;
  /**
   * Issues a new certificate for a user and writes it to the kubeconfig. The previous one then gets 401, as if expired.
   */
  renewCertificate(options: { readonly user: string }): Promise<void>;
  /** Adds a user, with a context of the same name in the kubeconfig. */
  addUser(user: ServerUser & { readonly rules?: readonly AccessRule[] }): Promise<void>;
  /** Adds a context to the kubeconfig, or replaces the one with that name. */
  addContext(context: {
    readonly name: string;
    readonly user: string;
    readonly namespace?: string | undefined;
  }): Promise<void>;
  removeContext(options: { readonly name: string }): Promise<void>;
  /** Writes a kubeconfig for only one user. */
  kubeconfigOf(options: { readonly user: string }): Promise<{ readonly path: string }>;
}

export function createControl(simulation: Simulation, server: ApiServer): ClusterControl {
  const { store, clock } = simulation;
  const { credentials } = server;
  const act = (event: object) => simulation.act(readEvent(event));
  return {
    writeLines: async (lines) => writeLines(simulation, lines),
    writeBurst: (burst) => writeBurst(simulation, burst),
    rotateLog: async (target) => act({ action: 'rotate', ...target }),
    deletePod: async (target) => act({ action: 'delete', ...target }),
    crashContainer: async (target) => act({ action: 'crash', ...target }),
    scale: async (target) => act({ action: 'scale', ...target }),
    killServer: () => server.kill(),
    async restartServer({ downMs = 0 } = {}) {
      await server.kill();
      if (downMs > 0) await new Promise<void>((resolve) => clock.after(downMs, resolve));
      await server.start();
    },
    dropWatches: async ({ match } = {}) => ({ dropped: server.dropWatches(match) }),
    cutLogs: async ({ match, how = 'reset' } = {}) => ({ cut: server.cutLogs(how, match) }),
    routeAddress: async ({ address, port, localPort }) => server.routeAddress(address, port, localPort),
    setRules: async ({ user, rules }) => setRules(store, user, rules),
    denyNamespace: async ({ user, namespace }) => denyNamespace(store, user, namespace),
    revokeToken: async ({ user }) => credentials.revokeToken(user),
    renewToken: ({ user }) => credentials.renewToken(user),
    renewCertificate: ({ user }) => credentials.renewCertificate(user),
    async addUser({ rules = [], ...user }) {
      await credentials.addUser(user);
      setRules(store, user.name, rules);
    },
    addContext: (context) => credentials.addContext(context),
    removeContext: ({ name }) => credentials.removeContext(name),
    kubeconfigOf: async ({ user }) => ({ path: await credentials.kubeconfigOf(user) }),
  };
}
