import { failuresOf } from '@logtool/kube/src/values/coded-error.ts';

/** What can be wrong with a call of a tool: each code with its data. */
export interface McpFailures {
  'bad-cursor': { readonly text: string };
  /** Nothing was found by then, and not all was read. */
  'read-too-slow': { readonly limitMs: number };
}

export const mcpFailure = failuresOf<McpFailures>();
