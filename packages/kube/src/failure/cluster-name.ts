import type { KubeError } from '../errors.ts';
import type { ClusterTrouble } from '../values/failures.ts';
import { whyOf } from '../values/problems.ts';

/** The same fields as KubeClient.cluster. */
export interface ClusterName {
  readonly context: string;
  readonly server: string;
  readonly namespace: string;
  readonly user: string;
  readonly asFlags?: string | undefined;
  readonly hasOwnToken?: boolean | undefined;
}

/** Returns the data that a message needs about an error and its cluster. */
export function troubleOf(error: KubeError, { server, context, user }: ClusterName): ClusterTrouble {
  return { server, context, user, why: whyOf(error) };
}
