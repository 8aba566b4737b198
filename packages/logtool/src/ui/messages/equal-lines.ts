/** Returns `×40 in 200 ms`: the number of equal lines, and the time from the first to the last. */
export function equalText({ lines, ms }: { readonly lines: number; readonly ms: number }): string {
  return `×${lines.toLocaleString('en')} in ${lengthText(ms)}`;
}

/** Rounds up, so that the text never understates the time. */
function lengthText(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 10) return `${Math.ceil(seconds * 10) / 10} s`;
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}
