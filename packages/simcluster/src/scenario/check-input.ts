import type { z } from 'zod';
import type { Fault } from '../faults/fault.ts';
import { SimClusterError } from '../simcluster-error.ts';
import { faultSchema } from './schema.ts';
import { type TimelineEvent, timelineEvent } from './timeline-schema.ts';

/** Checks an external event. Throws a SimClusterError that names the field. */
export function readEvent(value: unknown): TimelineEvent {
  return checked(timelineEvent, value, 'event');
}

/** Checks an external fault. Throws a SimClusterError that names the field. */
export function readFault(value: unknown): Fault {
  return checked(faultSchema, value, 'fault') as Fault;
}

/** Checks a value against a schema. Throws a SimClusterError that names the field. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, name: 'event' | 'fault' | 'call'): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const what = `the ${name} is not valid: ${issue?.path.join('.') || name}: ${issue?.message ?? ''}`;
  const next = 'scenarios/schema.json describes the fields';
  throw new SimClusterError(`${name}-invalid`, { what, next }, { exit: 'usage', cause: result.error });
}
