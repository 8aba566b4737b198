/** `×40 in 200 ms`: how many equal lines, and how long from the first to the last of them. */
export function equalText({ lines, ms }: { readonly lines: number; readonly ms: number }): string {
  return `×${lines.toLocaleString('en')} in ${lengthText(ms)}`;
}

/** Rounded up: nothing lasted longer than it says. */
function lengthText(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 10) return `${Math.ceil(seconds * 10) / 10} s`;
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}
