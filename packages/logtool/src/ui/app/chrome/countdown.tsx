import { useNow } from './use-now.ts';

/** Shows `in 3 s`, counting down to a time in ms since the epoch. */
export function Countdown({ untilMs }: { readonly untilMs: number }) {
  const nowMs = useNow();
  return <>in {Math.max(0, Math.ceil((untilMs - nowMs) / 1000))} s</>;
}
