import type { Impersonation } from '@logtool/kube/src/connection/open-options.ts';

/** Which cluster to connect to, and how. */
export interface ConnectionPlan {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly inCluster: boolean;
  readonly impersonate: Impersonation | undefined;
  /** Replaces the kubeconfig's credentials; never shown. */
  readonly bearer: string | undefined;
  /** How long a request may wait for its answer; undefined means the client's own limits. */
  readonly requestTimeoutMs: number | undefined;
  /** The given connection flags, to repeat in commands of messages: ` --kube-context prod`. */
  readonly flags: string;
  /** The flags of the impersonated user, which kubectl takes too: ` --as alice`. */
  readonly asFlags: string;
}
