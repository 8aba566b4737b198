import type { Impersonation } from '@logtool/kube/src/connection/open-options.ts';

/** Which cluster is reached, and by what. */
export interface ConnectionPlan {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly inCluster: boolean;
  readonly impersonate: Impersonation | undefined;
  /** Sent in the place of the kubeconfig's credentials; never shown. */
  readonly bearer: string | undefined;
  /** How long a request may wait for its answer; undefined: the client's own limits. */
  readonly requestTimeoutMs: number | undefined;
  /** The given connection flags, to repeat in commands of messages: ` --kube-context prod`. */
  readonly flags: string;
  /** The same of the user to act as, which kubectl takes too: ` --as alice`. */
  readonly asFlags: string;
}
