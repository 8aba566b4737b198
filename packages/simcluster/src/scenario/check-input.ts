import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { z } from 'zod';
import type { Fault } from '../start.ts';
import { faultSchema } from './schema.ts';
import { type TimelineEvent, timelineEvent } from './timeline-schema.ts';

/** An event that came from outside, checked. Throws a LogtoolError that names the field. */
export function readEvent(value: unknown): TimelineEvent {
  return checked(timelineEvent, value, 'event');
}

/** A fault that came from outside, checked. Throws a LogtoolError that names the field. */
export function readFault(value: unknown): Fault {
  return checked(faultSchema, value, 'fault') as Fault;
}

/** Throws a LogtoolError that names the field. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new LogtoolError({
    code: `${name}-invalid`,
    what: `the ${name} is not valid: ${issue?.path.join('.') || name}: ${issue?.message ?? ''}`,
    next: 'scenarios/schema.json describes the fields',
    exit: 'usage',
    cause: result.error,
  });
}
