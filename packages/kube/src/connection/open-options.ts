import type { Kubeconfig } from '../config/kubeconfig.ts';
import type { Clock } from '../values/clock.ts';
import type { KubeNotice } from '../values/failures.ts';
import type { SessionStore } from './tls-contexts.ts';

/**
 * The user that requests act as
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation).
 */
export interface Impersonation {
  readonly user: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
}

/** Options that decide which cluster to reach, and as which user. */
export interface ConnectionOptions {
  /** One file, from the flag or the configuration file; wins over KUBECONFIG. A leading `~/` is the home directory. */
  readonly kubeconfig?: string | undefined;
  /** The kubeconfig, already read; the client then searches for no file. */
  readonly loaded?: Kubeconfig | undefined;
  /**
   * A bearer token that replaces all credentials of the kubeconfig or the pod. The client neither reads nor sends
   * those, nor impersonates the user that the kubeconfig names.
   */
  readonly bearer?: string | undefined;
  /** Acts as another user, instead of the one that the kubeconfig impersonates. */
  readonly impersonate?: Impersonation | undefined;
  /** Name of a context; default: the file's current-context. */
  readonly context?: string | undefined;
  /** Use the pod's service account instead of a kubeconfig. */
  readonly inCluster?: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly clock: Clock;
  /** Receives warnings about failures that end nothing, such as a rotated token that cannot be saved. */
  readonly onNotice?: ((notice: KubeNotice) => void) | undefined;
  /** Receives the output of a plugin that takes long or asks questions; default: standard error. */
  readonly onPluginOutput?: ((bytes: Uint8Array) => void) | undefined;
  /** Keeps TLS sessions for later runs; default: none are kept. */
  readonly sessions?: SessionStore | undefined;
  /** Where the service account is mounted; default: the path that every Kubernetes node uses. */
  readonly serviceAccountDirectory?: string | undefined;
  /** Whether a user can answer a plugin's questions; default: whether standard input is a terminal. */
  readonly interactive?: boolean | undefined;
}
