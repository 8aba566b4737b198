import { useEffect, useRef, useState } from 'react';
import type { ConsoleState } from '../session/console-state.ts';

const PERIOD_MS = 5_000;

/** What screen readers are told: at most one sentence in five seconds, and nothing when nothing happens. */
export function StatusSummary({ state }: { readonly state: ConsoleState }) {
  const [text, setText] = useState('');
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  useEffect(() => {
    let arrived = latest.current.status.arrived;
    const timer = setInterval(() => {
      const { status, isFollowing, pausedAtMs } = latest.current;
      const lines = status.arrived - arrived;
      arrived = status.arrived;
      if (lines <= 0) return;
      const { hits, state: searching } = status.search;
      const found =
        searching === 'off' ? '' : `, ${hits.toLocaleString('en')} ${hits === 1 ? 'hit' : 'hits'}`;
      const mood = pausedAtMs !== undefined ? ', paused' : isFollowing ? ', following' : '';
      setText(`${lines.toLocaleString('en')} new ${lines === 1 ? 'line' : 'lines'}${mood}${found}`);
    }, PERIOD_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="sr-only" role="status" aria-label="New lines" data-summary>
      {text}
    </div>
  );
}
