import type { ConnectionPlan } from '../connection-plan.ts';
import type { LogLevel } from '../serve/serve-plan.ts';

/** Who issues the agent's certificate, and by which token. */
export interface IssuedBy {
  /** Where the API answers, and the name that its certificate must have. */
  readonly api: { readonly host: string; readonly port: number; readonly name: string };
  readonly tokenFile: string;
}

/** The plan of `agent`, checked and complete. */
export interface AgentPlan {
  readonly port: number;
  /** The folder in which the kubelet keeps logs. */
  readonly logDirectory: string;
  /** Has `ca.crt` of what signs for the API of logtool, and `tls.crt` and `tls.key` of the agent unless the API issues them. */
  readonly tlsDirectory: string;
  readonly issuedBy: IssuedBy | undefined;
  /** What the agent counts of the lines of all runs. */
  readonly activity: 'off' | 'counts' | 'levels';
  readonly search: {
    /** How many searches and counts run at the same time. */
    readonly concurrency: number;
    /** After so many bytes each of them ends; undefined: no limit. */
    readonly maxBytes: number | undefined;
  };
  readonly logLevel: LogLevel;
  /** Empty: every namespace. */
  readonly allowedNamespaces: readonly string[];
  readonly connection: ConnectionPlan;
}
