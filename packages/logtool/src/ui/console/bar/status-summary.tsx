import { useEffect, useRef, useState } from 'react';
import { countText } from '../../messages/count.ts';
import type { ConsoleState } from '../state/console-state.ts';
import { countHits } from '../state/hit-count.ts';
import { canLinesCome, standingOf } from '../state/standing.ts';

const PERIOD_MS = 5_000;

/** Notifies screen readers: at most one sentence in five seconds, and none if nothing happens. */
export function StatusSummary({ state }: { readonly state: ConsoleState }) {
  const [text, setText] = useState('');
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  useEffect(() => {
    let arrived = latest.current.status.arrived;
    // An interval would catch up after a delay, and so notify twice in less than that time.
    const notify = () => {
      const lines = latest.current.status.arrived - arrived;
      arrived = latest.current.status.arrived;
      if (lines > 0) setText(summaryOf(latest.current, lines));
      timer = setTimeout(notify, PERIOD_MS);
    };
    let timer = setTimeout(notify, PERIOD_MS);
    return () => clearTimeout(timer);
  }, []);
  const canCome = canLinesCome(standingOf(state));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is of earlier filters, or of lines that no longer come
  useEffect(() => setText(''), [state.status.asked, canCome]);
  return (
    <div className="sr-only" role="status" aria-label="New lines" data-summary>
      {text}
    </div>
  );
}

/** `128 new lines, following, 3 hits` */
function summaryOf(state: ConsoleState, lines: number): string {
  const { status, isFollowing, pausedAtMs } = state;
  const { search } = status;
  const counts = [countText(lines, 'new line')];
  if (pausedAtMs !== undefined) counts.push('paused');
  else if (isFollowing && canLinesCome(standingOf(state))) counts.push('following');
  if (search.state !== 'off' && search.error === undefined) counts.push(countText(countHits(status), 'hit'));
  return counts.join(', ');
}
