import type { z } from 'zod';
import type { Answer } from '../answer/compose.ts';
import type { McpReader } from '../reader.ts';

/** One tool: its arguments, its answer, and its implementation. All tools only read. */
export interface Tool<I extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: z.ZodObject;
  /** Throws a CodedError; `maxBytes` bounds each form of the answer. */
  readonly call: (reader: McpReader, given: z.infer<I>, signal: AbortSignal) => Promise<Answer>;
}

/** Keeps the type of the arguments in the tool's file. */
export function tool<I extends z.ZodObject>(definition: Tool<I>): Tool<I> {
  return definition;
}
