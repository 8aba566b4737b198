import type { ConsoleState } from '../state/console-state.ts';

/**
 * Shown while lines arrive faster than the page can draw them: how many arrive, how many are drawn, and that no line is
 * lost.
 */
export function RateBanner({ state }: { readonly state: ConsoleState }) {
  if (state.shownPerSecond === undefined) return null;
  const { receivedPerSecond } = state.status;
  return (
    <p className="strip warn" data-rate-banner>
      <b>{Math.round(receivedPerSecond).toLocaleString('en')}</b> lines/s received,{' '}
      <b>{state.shownPerSecond.toLocaleString('en')}</b> shown. The page keeps all lines: scroll or pause to
      read them.
    </p>
  );
}
