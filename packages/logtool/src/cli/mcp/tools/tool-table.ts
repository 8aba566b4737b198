import { around } from './around.ts';
import { count } from './count.ts';
import { events } from './events.ts';
import { findWorkloads } from './find-workloads.ts';
import { logs } from './logs.ts';
import type { Tool } from './tool.ts';
import { why } from './why.ts';

/** Every tool, in the order in which a client lists them. A tool is a file beside this one, and a row here. */
export const TOOLS = [findWorkloads, why, logs, count, around, events] as unknown as readonly Tool[];
