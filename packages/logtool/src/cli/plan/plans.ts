import type { ConfigFormat } from '../config-file/config-format.ts';
import type { AgentPlan } from './agent/agent-plan.ts';
import type { ApiPlan } from './api/api-plan.ts';
import type {
  AddRepositoryPlan,
  InstallPlan,
  ListPlan,
  RepositoryPlan,
  RollbackPlan,
  ShowPlan,
  UninstallPlan,
  UpgradePlan,
} from './cluster/cluster-plans.ts';
import type { ConnectionPlan } from './connection-plan.ts';
import type { EventsPlan } from './events/events-plan.ts';
import type { LogsPlan, OutputPlan } from './logs/logs-plan.ts';
import type { McpPlan } from './mcp/mcp-plan.ts';
import type { OutputKind } from './output-kind.ts';
import type { ServePlan } from './serve/serve-plan.ts';
import type { WhyPlan } from './why/why-plan.ts';

export interface ConfigInitPlan {
  /** As typed; undefined means that of --config, else the default path of the format. */
  readonly path: string | undefined;
  /** Undefined means the format of the path's extension, else YAML. */
  readonly format: ConfigFormat | undefined;
  readonly force: boolean;
  readonly dryRun: boolean;
}

export interface ConfigShowPlan {
  readonly output: OutputKind;
}

export interface DemoPlan {
  /** As typed; undefined means the bundled one. */
  readonly scenario: string | undefined;
  readonly follow: boolean;
  readonly skipOpen: boolean;
  readonly port: number;
  /** The port is the default one, so logtool may use the next free one. */
  readonly mayMove: boolean;
}

/** Global flags, which apply to every command. */
export interface ProgramPlan {
  readonly help: boolean;
  readonly version: boolean;
  /** Show requests, and stack traces of errors. */
  readonly debug: boolean;
  /** As typed; undefined means the default ones. */
  readonly configFile: string | undefined;
}

export interface VersionPlan {
  readonly licenses: boolean;
}

/** The plan of a command without flags of its own. */
type NoFlags = Record<never, never>;

/** The plan of each command, by its name. Every flag sets a part of one of these. */
export interface Plans {
  readonly logs: LogsPlan;
  readonly events: EventsPlan;
  readonly why: WhyPlan;
  readonly serve: ServePlan;
  readonly mcp: McpPlan;
  readonly agent: AgentPlan;
  readonly api: ApiPlan;
  readonly 'cluster install': InstallPlan;
  readonly 'cluster upgrade': UpgradePlan;
  readonly 'cluster rollback': RollbackPlan;
  readonly 'cluster uninstall': UninstallPlan;
  readonly 'cluster list': ListPlan;
  readonly 'cluster status': ShowPlan;
  readonly 'cluster history': ShowPlan;
  readonly 'cluster repo add': AddRepositoryPlan;
  readonly 'cluster repo update': RepositoryPlan;
  readonly 'cluster repo remove': RepositoryPlan;
  readonly 'config init': ConfigInitPlan;
  readonly 'config show': ConfigShowPlan;
  readonly 'config path': NoFlags;
  readonly demo: DemoPlan;
  readonly completion: NoFlags;
  readonly version: VersionPlan;
  readonly help: NoFlags;
}

export type CommandName = keyof Plans;

/** What global flags set: parts of the program, and of each plan that has such a part. */
export interface GlobalPlan {
  readonly program: ProgramPlan;
  readonly connection: ConnectionPlan;
  readonly output: Pick<OutputPlan, 'color'>;
}

/** Values at which a path ends. */
type Leaf = string | number | boolean | undefined | null | readonly unknown[] | ReadonlyMap<string, unknown>;

/**
 * Names of the parts of a plan, at most three levels deep: `output`, `output.color`, `engine.window.from`.
 */
export type PathOf<T, Depth extends readonly unknown[] = []> = T extends Leaf
  ? never
  : Depth['length'] extends 3
    ? never
    : { [K in keyof T & string]-?: K | `${K}.${PathOf<NonNullable<T[K]>, [...Depth, K]>}` }[keyof T & string];
