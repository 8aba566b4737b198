import type { ColumnName } from '../../../domain/columns.ts';
import type { ConnectionPlan } from '../connection-plan.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'disabled'] as const;
export const AUTH_KINDS = ['token', 'kubernetes', 'none'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
export type Auth = (typeof AUTH_KINDS)[number];

/** The plan of `serve`, checked and complete. */
export interface ServePlan {
  readonly host: string;
  readonly port: number;
  /** The port is the default one, so logtool may use the next free one. */
  readonly mayMove: boolean;
  /** Undefined means no metrics. */
  readonly metricsPort: number | undefined;
  readonly logLevel: LogLevel;
  readonly skipOpen: boolean;
  readonly auth: Auth;
  /** Others can reach the server, and it lets everyone in. */
  readonly isOpenToOthers: boolean;
  /** Undefined means that sessions end with the process. */
  readonly sessionKeyFile: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedNamespaces: readonly string[];
  /** '' or `/logs`, without a trailing slash. */
  readonly basePath: string;
  readonly columns: readonly ColumnName[];
  readonly connection: ConnectionPlan;
}
