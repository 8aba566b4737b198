/** A time on the browser's clock, to the second: `2026-11-21 13:42:01`. Of no time: ''. */
export function localTimeText(atMs: number): string {
  if (Number.isNaN(atMs)) return '';
  const offsetMs = new Date(atMs).getTimezoneOffset() * 60_000;
  return new Date(atMs - offsetMs).toISOString().slice(0, 19).replace('T', ' ');
}
