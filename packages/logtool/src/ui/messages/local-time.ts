/** Formats a time in the browser's time zone, to the second: `2026-11-21 13:42:01`. NaN: ''. */
export function localTimeText(atMs: number): string {
  if (Number.isNaN(atMs)) return '';
  const offsetMs = new Date(atMs).getTimezoneOffset() * 60_000;
  return new Date(atMs - offsetMs).toISOString().slice(0, 19).replace('T', ' ');
}
