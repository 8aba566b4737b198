import { failuresOf } from '@logtool/kube/src/values/coded-error.ts';

/** What can go wrong in a call of a tool: each code with its data. */
export interface McpFailures {
  'bad-cursor': { readonly text: string };
  /** The call found nothing in time, and did not read everything. */
  'read-too-slow': { readonly limitMs: number };
}

export const mcpFailure = failuresOf<McpFailures>();
