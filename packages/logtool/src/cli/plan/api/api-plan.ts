import type { ConnectionPlan } from '../connection-plan.ts';
import type { LogLevel } from '../serve/serve-plan.ts';

/** The plan of `api`, checked and complete. */
export interface ApiPlan {
  readonly port: number;
  /** Has `tls.crt` and `tls.key` of the API, and `ca.crt` of what signs for its agents. */
  readonly tlsDirectory: string;
  /** The installation whose certificates the API makes and keeps in Secrets. Undefined: those of the folder. */
  readonly certificates: string | undefined;
  /** Has the authority that signs for these; undefined: the API makes it. */
  readonly authorityDirectory: string | undefined;
  /** Undefined: the namespace of the connection. */
  readonly agentNamespace: string | undefined;
  readonly agentSelector: string;
  readonly logLevel: LogLevel;
  /** Empty: every namespace. */
  readonly allowedNamespaces: readonly string[];
  readonly connection: ConnectionPlan;
}
