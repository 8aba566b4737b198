import type { Kubeconfig } from '../config/kubeconfig.ts';
import type { Clock } from '../values/clock.ts';
import type { KubeNotice } from '../values/failures.ts';
import type { SessionStore } from './tls-contexts.ts';

/** Whom requests act as (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation). */
export interface Impersonation {
  readonly user: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
}

/** What decides which cluster is reached, and as whom. */
export interface ConnectionOptions {
  /** One file, from the flag or the configuration file; wins over KUBECONFIG. A leading `~/` is the home directory. */
  readonly kubeconfig?: string | undefined;
  /** The kubeconfig, already read: no file is searched for then. */
  readonly loaded?: Kubeconfig | undefined;
  /**
   * A bearer token in the place of all credentials that the kubeconfig or the pod has: none of those is read or sent,
   * a user that the kubeconfig impersonates included.
   */
  readonly bearer?: string | undefined;
  /** Acts as another user, in the place of the one that the kubeconfig impersonates. */
  readonly impersonate?: Impersonation | undefined;
  /** Name of a context; the file's current-context if it is not given. */
  readonly context?: string | undefined;
  /** Use the pod's service account instead of a kubeconfig. */
  readonly inCluster?: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly clock: Clock;
  /** Receives warnings that end nothing, such as a rotated token that cannot be saved. */
  readonly onNotice?: ((notice: KubeNotice) => void) | undefined;
  /** Receives the output of a plugin that takes long, or that asks; default: standard error. */
  readonly onPluginOutput?: ((bytes: Uint8Array) => void) | undefined;
  /** Keeps TLS sessions for later runs; they are kept nowhere if it is not given. */
  readonly sessions?: SessionStore | undefined;
  /** Where the service account is mounted; the path of every Kubernetes node if it is not given. */
  readonly serviceAccountDirectory?: string | undefined;
  /** Whether a user can answer a plugin's questions; default: whether standard input is a terminal. */
  readonly interactive?: boolean | undefined;
}
