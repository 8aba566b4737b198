import { formatTimestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { parseDuration } from '../../../domain/duration.ts';
import { parseTimePoint } from '../../../domain/time-point.ts';
import type { FacetFilter, FactChoice, SearchPlan, ViewPlan } from '../../worker/protocol/protocol.ts';
import type { ConsoleUrl } from './console-url.ts';

/**
 * The plan to send to the log worker. `nowMs` is when the user chose the range: `15m` means the 15 minutes before it.
 * An invalid range counts as none; its input field shows the error.
 */
export function viewPlanOf(url: ConsoleUrl, nowMs: number): ViewPlan {
  const from = url.last === undefined ? readBound(url.from, nowMs) : agoBound(url.last, nowMs);
  const to = url.last === undefined ? readBound(url.to, nowMs) : undefined;
  const opensAt = url.last === undefined ? undefined : 'end';
  return {
    context: url.ctx,
    sources: url.src,
    from,
    to,
    opensAt,
    follow: to === undefined,
    readsRotated: url.rotated === true,
  };
}

/** Whether the page follows the newest line when it opens with this URL: a range with an end has no later lines. */
export function followsAtFirst(url: ConsoleUrl): boolean {
  return url.to === undefined && (url.follow ?? followsByItself(url));
}

/** The default if the link does not specify it. */
export function followsByItself(
  url: { readonly [K in 'from' | 'to' | 'line']?: string | undefined },
): boolean {
  return url.from === undefined && url.to === undefined && url.line === undefined;
}

/** Whether the view leaves out lines. */
export function hidesLines({ q, only, inc, exc, fields = [] }: ConsoleUrl): boolean {
  return (only === true && (q ?? '') !== '') || inc !== undefined || exc !== undefined || fields.length > 0;
}

export function searchPlanOf(url: ConsoleUrl): SearchPlan {
  return {
    text: url.q ?? '',
    matchCase: url.case === true,
    wholeWord: url.word === true,
    regex: url.regex === true,
    only: url.only === true,
  };
}

export function facetFilterOf(url: ConsoleUrl): FacetFilter {
  return {
    include: url.inc ?? {},
    exclude: url.exc ?? {},
    fields: (url.fields ?? []).map((text) => {
      const exclude = text.startsWith('!');
      const equals = text.indexOf('=');
      return { path: text.slice(exclude ? 1 : 0, equals), value: text.slice(equals + 1), exclude };
    }),
  };
}

/** Which facts the log worker shows among the lines. */
export function factChoiceOf({ events, mute = [] }: Pick<ConsoleUrl, 'events' | 'mute'>): FactChoice {
  return { show: events ?? 'notable', hiddenLabels: mute };
}

function agoBound(last: string, nowMs: number): ViewPlan['from'] {
  const result = parseDuration(last);
  if (result.kind !== 'duration') return undefined;
  const at = timestampFromMs(nowMs - result.duration.seconds * 1000);
  return { kind: 'inclusive', at: formatTimestamp(at) };
}

function readBound(text: string | undefined, nowMs: number): ViewPlan['from'] {
  if (text === undefined) return undefined;
  const point = parseTimePoint(text, { now: timestampFromMs(nowMs), durations: true, cursors: false });
  return point.kind === 'time' ? { kind: 'inclusive', at: formatTimestamp(point.at) } : undefined;
}
