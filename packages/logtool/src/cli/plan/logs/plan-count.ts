import { type Interval, nextTime } from '../../../domain/coverage/interval.ts';
import type { Window } from '../../../domain/window.ts';
import { badValue, usageFailure } from '../../messages/errors.ts';
import type { Settings } from '../../settings/settings.ts';
import { writtenCursor } from './bounds.ts';
import type { CountPlan } from './logs-plan.ts';

/** Flags that select, show or format records, which a count does not show. */
export const OF_RECORDS = [
  'head',
  'tail',
  'first',
  'follow',
  'limit-bytes',
  'with-cursors',
  'after-context',
  'before-context',
  'context-lines',
  'raw',
  'format',
  'columns',
  'add-columns',
  'remove-columns',
  'highlight',
  'fields',
  'hide-fields',
  'events',
] as const;

/** Plans --count and --bucket. A count reads the whole range, so flags that select records exclude it. */
export function planCount(settings: Settings<'logs'>, window: Window): CountPlan | undefined {
  const bucket = settings.given('bucket');
  if (!settings.value('count')) {
    if (bucket !== undefined) throw usageFailure('bucket-without-count', { written: bucket.written });
    return undefined;
  }
  const other = OF_RECORDS.map((name) => settings.given(name)).find((use) => use !== undefined);
  if (other !== undefined) throw usageFailure('exclusive-count', { written: other.written });
  const bucketMs = settings.value('bucket');
  if (bucket !== undefined && bucketMs === 0)
    throw badValue('bad-duration', bucket, { limits: 'above 0', examples: ['10s', '5m'] });
  return { range: rangeOf(settings, window), bucketMs };
}

function rangeOf(settings: Settings<'logs'>, { from, to }: Window): Interval {
  for (const [bound, name] of [[from, 'after'] as const, [to, 'before'] as const]) {
    if (bound?.kind !== 'cursor') continue;
    throw usageFailure('exclusive-count', { written: writtenCursor(settings, name) });
  }
  return {
    from: from && 'at' in from ? (from.kind === 'strict' ? nextTime(from.at) : from.at) : undefined,
    to: to && 'at' in to ? (to.kind === 'strict' ? to.at : nextTime(to.at)) : undefined,
  };
}
