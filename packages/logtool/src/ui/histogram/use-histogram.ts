import { useEffect, useRef, useState } from 'react';
import type { ToolProps } from '../console/session/slots.ts';
import { unlessGone } from '../worker/session/log-worker-client.ts';
import type { Histogram } from '../worker/session/protocol.ts';

const EMPTY: Histogram = { fromSeconds: 0, bucketSeconds: 1, errors: [], warnings: [], others: [] };
/** The strip is brought up to date so often while lines stream. */
const REFRESH_MS = 1_000;

/** The current histogram of the view; while `isHeld` the previous one. */
export function useHistogram(
  { worker, state }: Pick<ToolProps, 'worker' | 'state'>,
  buckets: number,
  isHeld: boolean,
): Histogram {
  const [histogram, setHistogram] = useState(EMPTY);
  const askedAtMs = useRef(0);
  const { version, lines } = state.status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for anew when lines come or filters change
  useEffect(() => {
    if (isHeld || buckets <= 0) return;
    let isOver = false;
    const ask = () => {
      askedAtMs.current = Date.now();
      const asked = worker.ask({ type: 'histogram', buckets });
      unlessGone(asked.then((answer) => isOver || setHistogram(answer.histogram)));
    };
    const waitMs = askedAtMs.current + REFRESH_MS - Date.now();
    const timer = waitMs > 0 ? setTimeout(ask, waitMs) : undefined;
    if (timer === undefined) ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [worker, version, lines, buckets, isHeld]);
  return histogram;
}
