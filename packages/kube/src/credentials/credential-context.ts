import type { Clock } from '../values/clock.ts';
import type { KubeNotice } from '../values/failures.ts';
import type { ExecCluster } from './exec-info.ts';

/** What a credential may need besides the user's own fields. */
export interface CredentialContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly clock: Clock;
  readonly interactive: boolean;
  /** The cluster data that a plugin may receive (provideClusterInfo). */
  readonly cluster: ExecCluster;
  readonly onNotice: (notice: KubeNotice) => void;
  readonly onPluginOutput: (bytes: Uint8Array) => void;
}
