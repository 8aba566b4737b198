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

/** What every command on releases was asked for. */
export interface ClusterPlan {
  readonly connection: ConnectionPlan;
  readonly debug: boolean;
}

/** What a command on one release was asked for. */
export interface ReleasePlan extends ClusterPlan {
  readonly name: string;
  readonly namespace: string;
}

/** `cluster status` and `cluster history`. */
export interface ShowPlan extends ReleasePlan {
  readonly output: OutputKind;
}

export interface ListPlan extends ClusterPlan {
  /** Undefined: all. */
  readonly namespace: string | undefined;
  /** List the releases of every chart, not only logtool's own. */
  readonly all: boolean;
  readonly output: OutputKind;
}

/** What every command that changes a release was asked for. */
export interface ChangePlan extends ReleasePlan {
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly dryRun: boolean;
  /** Whether permissions are checked before anything is changed. */
  readonly preflight: boolean;
}

/** What every command that changes a release that exists was asked for. */
export interface ExistingPlan extends ChangePlan {
  /** The only chart whose releases may be changed; undefined: any. */
  readonly onlyChart: string | undefined;
}

/** Which chart, with which values. */
export interface ChartPlan {
  readonly chart: string | undefined;
  readonly chartVersion: string | undefined;
  readonly offline: boolean;
  readonly values: ValuesPlan;
  readonly image: ImagePlan;
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

/** Where a value of a chart comes from, in the order in which Helm lets them win. */
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

/** What `cluster repo update` and `cluster repo remove` were asked for. */
export interface RepositoryPlan {
  readonly dryRun: boolean;
}

/** A chart repository to add. */
export interface AddRepositoryPlan extends RepositoryPlan {
  readonly url: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The password comes from standard input instead. */
  readonly passwordStdin: boolean;
  /** An absolute path: it is written down for every later command, wherever that runs. */
  readonly caFile: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly force: boolean;
}
