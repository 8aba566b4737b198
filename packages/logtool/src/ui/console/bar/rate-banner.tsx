import type { ConsoleState } from '../session/console-state.ts';

/**
 * Shown while lines come faster than they can be drawn: how many arrive, how many are drawn, and that none is
 * lost.
 */
export function RateBanner({ state }: { readonly state: ConsoleState }) {
  if (state.shownPerSecond === undefined) return null;
  const { receivedPerSecond } = state.status;
  return (
    <p className="strip warn" data-rate-banner>
      <b>{Math.round(receivedPerSecond).toLocaleString('en')}</b> lines/s received,{' '}
      <b>{state.shownPerSecond.toLocaleString('en')}</b> shown. All lines are kept: scroll or pause to read
      them.
    </p>
  );
}
