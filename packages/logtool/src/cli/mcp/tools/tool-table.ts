import { around } from './around.ts';
import { count } from './count.ts';
import { events } from './events.ts';
import { findWorkloads } from './find-workloads.ts';
import { logs } from './logs.ts';
import type { Tool } from './tool.ts';
import { why } from './why.ts';

/**
 * All tools, in the order in which a client lists them. Each tool is a file in this folder, and a row here.
 */
export const TOOLS = [findWorkloads, why, logs, count, around, events] as unknown as readonly Tool[];
