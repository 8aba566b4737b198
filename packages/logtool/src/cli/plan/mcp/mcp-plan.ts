import type { ConnectionPlan } from '../connection-plan.ts';

/** What `mcp` was asked for, checked and complete. */
export interface McpPlan {
  readonly connection: ConnectionPlan;
  /** The only namespaces that tools may read; empty: all that the credentials can. */
  readonly allowedNamespaces: readonly string[];
  /** Mask secrets in what the tools answer. */
  readonly redacts: boolean;
  /** Where to listen; undefined: standard input and output. */
  readonly http: HttpAddress | undefined;
}

export interface HttpAddress {
  /** A loopback address. IPv6 without brackets. */
  readonly host: string;
  /** 0: any. */
  readonly port: number;
}
