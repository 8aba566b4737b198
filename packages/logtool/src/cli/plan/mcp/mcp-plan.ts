import type { ConnectionPlan } from '../connection-plan.ts';

/** The plan of `mcp`, checked and complete. */
export interface McpPlan {
  readonly connection: ConnectionPlan;
  /** The only namespaces that tools may read; empty means all that the credentials allow. */
  readonly allowedNamespaces: readonly string[];
  /** Mask secrets in the tools' answers. */
  readonly redacts: boolean;
  /** Where to listen; undefined means standard input and output. */
  readonly http: HttpAddress | undefined;
}

export interface HttpAddress {
  /** A loopback address; IPv6 without brackets. */
  readonly host: string;
  /** 0 means any. */
  readonly port: number;
}
