import type { KubeError } from '../errors.ts';
import type { ClusterTrouble } from '../values/failures.ts';
import { whyOf } from '../values/problems.ts';

/** As KubeClient.cluster. */
export interface ClusterName {
  readonly context: string;
  readonly server: string;
  readonly namespace: string;
  readonly user: string;
  readonly asFlags?: string | undefined;
  readonly hasOwnToken?: boolean | undefined;
}

/** What an error and its cluster have for a message. */
export function troubleOf(error: KubeError, { server, context, user }: ClusterName): ClusterTrouble {
  return { server, context, user, why: whyOf(error) };
}
