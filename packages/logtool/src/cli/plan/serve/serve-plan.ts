import type { ColumnName } from '../../../domain/columns.ts';
import type { ConnectionPlan } from '../connection-plan.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'disabled'] as const;
export const AUTH_KINDS = ['token', 'kubernetes', 'none'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
export type Auth = (typeof AUTH_KINDS)[number];

/** What `serve` was asked for, checked and complete. */
export interface ServePlan {
  readonly host: string;
  readonly port: number;
  /** The port is the default one: the next free one will do. */
  readonly mayMove: boolean;
  /** Undefined: no metrics. */
  readonly metricsPort: number | undefined;
  readonly logLevel: LogLevel;
  readonly skipOpen: boolean;
  readonly auth: Auth;
  /** Others can reach the server, and everyone who does is let in. */
  readonly isOpenToOthers: boolean;
  /** Undefined: sessions end with the process. */
  readonly sessionKeyFile: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedNamespaces: readonly string[];
  /** '' or `/logs`: without a slash at the end. */
  readonly basePath: string;
  readonly columns: readonly ColumnName[];
  readonly connection: ConnectionPlan;
}
