import type { Fact } from '../../../domain/facts/fact.ts';
import { factText } from '../../../messages/facts.ts';
import type { TimeFormat } from '../format/time-format.ts';

/** Formats a fact as one JSON object: `type` distinguishes it from a record, and the times are texts. */
export function factJson(fact: Fact, time: TimeFormat): string {
  return JSON.stringify(factObject(fact, time));
}

/** Returns the fact as such an object. */
export function factObject(fact: Fact, time: TimeFormat): Readonly<Record<string, unknown>> {
  const {
    at,
    until,
    since,
    kind,
    severity,
    subject,
    reason,
    message,
    count,
    precision,
    bound,
    cause,
    source,
    data,
    id,
  } = fact;
  return {
    type: 'event',
    timestamp: time.format(at),
    ...(until === undefined ? {} : { until: time.format(until) }),
    ...(since === undefined ? {} : { since: time.format(since) }),
    precision,
    ...(bound === undefined ? {} : { bound }),
    kind,
    severity,
    text: factText(fact),
    subject,
    reason,
    message,
    count,
    data,
    ...(cause === undefined ? {} : { cause }),
    source,
    id,
  };
}
