import type { ServerUser } from '../access/credentials.ts';
import type { ApiServer } from '../api/http/server.ts';
import { readEvent } from '../scenario/check-input.ts';
import type { ContainerTarget, PodsTarget } from '../scenario/event-targets.ts';
import type { Simulation } from '../scenario/simulation.ts';
import { type AccessRule, denyNamespace, setRules } from './access-rules.ts';
import { type Burst, type LinesToWrite, type LinesWritten, writeBurst, writeLines } from './write-lines.ts';

/**
 * What a test does to a running cluster, beside the timeline of its scenario and its faults. Every function takes one
 * object, and is also an address of the control endpoint: `POST /control/NAME` with that object as JSON. Each acts
 * now, before it resolves. Throws a SimClusterError that names what is not there.
 */
export interface ClusterControl {
  /** Writes lines to a container (or to one container of each pod of a workload), all at this moment. */
  writeLines(lines: LinesToWrite): Promise<readonly LinesWritten[]>;
  /** Writes lines at a rate; resolves when the last is written. */
  writeBurst(burst: Burst): Promise<readonly LinesWritten[]>;
  rotateLog(target: ContainerTarget): Promise<void>;

  /** As `kubectl delete pod`; with 0 seconds it goes at once. */
  deletePod(target: PodsTarget & { readonly gracePeriodSeconds?: number }): Promise<void>;
  /** The process of a container ends by itself, with exit code 1 when none is given. */
  crashContainer(target: ContainerTarget & { readonly code?: number }): Promise<void>;
  scale(target: {
    readonly namespace?: string;
    readonly workload: string;
    readonly replicas: number;
  }): Promise<void>;

  /** The API server dies: every connection is reset, and its port refuses further ones. */
  killServer(options?: Record<string, never>): Promise<void>;
  /** It is killed and comes back with the same port, keys and data, after a while if one is given. */
  restartServer(options?: { readonly downMs?: number }): Promise<void>;
  /** Cuts the running watches whose `METHOD path?query` matches; does not affect later ones. */
  dropWatches(options?: { readonly match?: string }): Promise<{ readonly dropped: number }>;
  /**
   * Cuts the log answers in progress. `end` ends them in order, as the restart of a kubelet does: the client
   * cannot distinguish it from the end of the container. Default: `reset`.
   */
  cutLogs(options?: {
    readonly match?: string;
    readonly how?: 'reset' | 'end';
  }): Promise<{ readonly cut: number }>;

  /** From now on a user may do this and nothing else. */
  setRules(access: { readonly user: string; readonly rules: readonly AccessRule[] }): Promise<void>;
  /**
   * A user may do nothing in a namespace any more, and in the others of this moment what it may now. RBAC cannot
   * forbid, so rights on the whole cluster become rights in each other namespace: listing over all of them is over.
   */
  denyNamespace(access: { readonly user: string; readonly namespace: string }): Promise<void>;
  /** A user's token answers 401 from now on. Running requests continue, as in a real cluster. */
  revokeToken(options: { readonly user: string }): Promise<void>;
  /** Gives a user a new token and writes it to the kubeconfig. */
  renewToken(options: { readonly user: string }): Promise<void>;
  /** Gives a user a new certificate and writes it to the kubeconfig. The previous one answers 401, as if expired. */
  renewCertificate(options: { readonly user: string }): Promise<void>;
  /** A further user with a context of its name in the kubeconfig. */
  addUser(user: ServerUser & { readonly rules?: readonly AccessRule[] }): Promise<void>;
  /** A further context (or one of that name instead of the present one) in the kubeconfig. */
  addContext(context: {
    readonly name: string;
    readonly user: string;
    readonly namespace?: string | undefined;
  }): Promise<void>;
  removeContext(options: { readonly name: string }): Promise<void>;
  /** Writes a kubeconfig for one user only. */
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
