import { useNow } from '../../app/chrome/use-now.ts';
import { localTimeText } from '../../messages/local-time.ts';

/** Formats an age: `2 s`, `5 min`, `3 h`, `12 d`. A time in the future (clock skew) counts as now. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** Formats bytes in steps of 1000, three digits: `0.4 MB`, `24.1 MB`, `612 MB`, `20 KB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB', 'PB'];
  let value = bytes / 1000;
  let unit = 0;
  // A value that rounds up to 1000 belongs to the next unit.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = value < 100 && unit > 0 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** A live age; the tooltip shows the time. */
export function Age({ at }: { readonly at: string }) {
  const nowMs = useNow();
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return null;
  return (
    <time dateTime={at} title={localTimeText(atMs)}>
      {formatAge(nowMs - atMs)}
    </time>
  );
}

/** Shows `next in 14 min`. */
export function NextRun({ at }: { readonly at: string }) {
  const nowMs = useNow();
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return null;
  return (
    <time dateTime={at} title={localTimeText(atMs)}>
      {atMs <= nowMs ? 'due now' : `next in ${formatAge(atMs - nowMs)}`}
    </time>
  );
}
