import type { ConnectionPlan } from '../connection-plan.ts';
import type { LogLevel } from '../serve/serve-plan.ts';

/** The plan of `agent`, checked and complete. */
export interface AgentPlan {
  readonly port: number;
  /** The folder in which the kubelet keeps logs. */
  readonly logDirectory: string;
  /** Has `tls.crt` and `tls.key` of the agent, and `ca.crt` of what signs for the API of logtool. */
  readonly tlsDirectory: string;
  readonly logLevel: LogLevel;
  /** Empty: every namespace. */
  readonly allowedNamespaces: readonly string[];
  readonly connection: ConnectionPlan;
}
