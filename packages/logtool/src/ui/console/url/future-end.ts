import { timestampFromMs, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { useEffect, useMemo, useState } from 'react';
import { parseTimePoint } from '../../../domain/time-point.ts';
import { serverClock } from '../../frame/server-clock.ts';
import type { ConsoleUrl } from './console-url.ts';

type Range = { readonly [K in 'last' | 'to']?: string | undefined };

/** Browsers wait no longer than this, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Returns when a range ends, ms, if that is after `nowMs`. */
export function futureEndMs({ last, to }: Range, nowMs: number): number | undefined {
  if (to === undefined || last !== undefined) return undefined;
  const point = parseTimePoint(to, { now: timestampFromMs(nowMs), durations: true, cursors: false });
  if (point.kind !== 'time') return undefined;
  const endMs = timestampToMs(point.at);
  return endMs > nowMs ? endMs : undefined;
}

/** Returns a range as it is until its end: one that ends in the future has no end yet, and lines still come. */
export function untilItsEnd<R extends Range>(range: R, nowMs: number): R | Omit<R, 'to'> {
  if (futureEndMs(range, nowMs) === undefined) return range;
  const { to: _, ...open } = range;
  return open;
}

interface ShownRange {
  /** The view's state as it is now: see untilItsEnd. */
  readonly shown: ConsoleUrl;
  /** The end was in the future when the range was chosen, and has passed. */
  readonly isOver: boolean;
}

/** Returns the range to show, and draws again when its end passes. `chosenAtMs`: when a person chose the range. */
export function useFutureEnd(url: ConsoleUrl, chosenAtMs: number): ShownRange {
  const [checks, setChecks] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each check has another time
  const nowMs = useMemo(() => Math.max(chosenAtMs, serverClock.nowMs()), [chosenAtMs, checks]);
  const endMs = futureEndMs(url, nowMs);
  useEffect(() => {
    if (endMs === undefined) return;
    const check = () => setChecks(checks + 1);
    const timer = setTimeout(check, Math.min(MAX_TIMER_MS, Math.max(0, endMs - serverClock.nowMs())));
    return () => clearTimeout(timer);
  }, [endMs, checks]);
  const isOver = endMs === undefined && futureEndMs(url, chosenAtMs) !== undefined;
  return useMemo(() => ({ shown: untilItsEnd(url, nowMs), isOver }), [url, nowMs, isOver]);
}
