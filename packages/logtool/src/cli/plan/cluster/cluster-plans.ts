import type { ImageReference } from '@logtool/kube/src/values/image-reference.ts';
import type { ConnectionPlan } from '../connection-plan.ts';
import type { OutputKind } from '../output-kind.ts';

/** The commands that work on releases. */
export type ClusterCommand =
  | 'cluster install'
  | 'cluster upgrade'
  | 'cluster rollback'
  | 'cluster uninstall'
  | 'cluster list'
  | 'cluster status'
  | 'cluster history';

/** The plan of every command on releases. */
export interface ClusterPlan {
  readonly connection: ConnectionPlan;
  readonly debug: boolean;
}

/** The plan of a command on one release. */
export interface ReleasePlan extends ClusterPlan {
  readonly name: string;
  readonly namespace: string;
}

/** The plan of `cluster status` and `cluster history`. */
export interface ShowPlan extends ReleasePlan {
  readonly output: OutputKind;
}

export interface ListPlan extends ClusterPlan {
  /** Undefined means all namespaces. */
  readonly namespace: string | undefined;
  /** List the releases of every chart, not only logtool's own. */
  readonly all: boolean;
  readonly output: OutputKind;
}

/** The plan of every command that changes a release. */
export interface ChangePlan extends ReleasePlan {
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly dryRun: boolean;
  /** Whether to check permissions before any change. */
  readonly preflight: boolean;
}

/** The plan of every command that changes an existing release. */
export interface ExistingPlan extends ChangePlan {
  /** The only chart whose releases the command may change; undefined means any. */
  readonly onlyChart: string | undefined;
}

/** The flags that set values of logtool's own chart. */
export interface OwnPlan {
  readonly image: ImagePlan;
  /** Whether to install the agents; undefined: as the values say. */
  readonly agent: boolean | undefined;
}

/** Which chart to use, with which values. */
export interface ChartPlan extends OwnPlan {
  readonly chart: string | undefined;
  readonly chartVersion: string | undefined;
  readonly offline: boolean;
  readonly values: ValuesPlan;
  readonly subNotes: boolean;
  readonly atomic: boolean;
  /** Address of logtool's chart repository. */
  readonly repositoryUrl: string;
}

export interface InstallPlan extends ChangePlan, ChartPlan {
  readonly createNamespace: boolean;
}

export interface UpgradePlan extends ExistingPlan, ChartPlan {
  readonly historyMax: number;
  readonly resetValues: boolean;
}

export interface RollbackPlan extends ExistingPlan {
  readonly revision: number | undefined;
  readonly historyMax: number;
}

export interface UninstallPlan extends ExistingPlan {
  readonly keepHistory: boolean;
}

/** Where the values of a chart come from; later ones win, as in Helm. */
export interface ValuesPlan {
  readonly files: readonly string[];
  readonly sets: readonly { readonly kind: 'set' | 'set-string' | 'set-json'; readonly text: string }[];
}

export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'] as const;

/** The requested image of logtool's chart. */
export interface ImagePlan {
  readonly reference: ImageReference | undefined;
  readonly pullPolicy: (typeof PULL_POLICIES)[number] | undefined;
}

/** The plan of `cluster repo update` and `cluster repo remove`. */
export interface RepositoryPlan {
  readonly dryRun: boolean;
}

/** A chart repository to add. */
export interface AddRepositoryPlan extends RepositoryPlan {
  readonly url: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Read the password from standard input instead. */
  readonly passwordStdin: boolean;
  /** An absolute path, because later commands in any folder use the stored value. */
  readonly caFile: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly force: boolean;
}
