import { useNow } from '../../app/chrome/use-now.ts';
import { formatAge } from './ages.ts';

/** How long ago a time was, kept up to date; the time itself when pointed at. */
export function Age({ at }: { readonly at: string }) {
  const nowMs = useNow();
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return null;
  return (
    <time dateTime={at} title={new Date(atMs).toLocaleString()}>
      {formatAge(nowMs - atMs)}
    </time>
  );
}

/** `next in 14 min` */
export function NextRun({ at }: { readonly at: string }) {
  const nowMs = useNow();
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return null;
  return (
    <time dateTime={at} title={new Date(atMs).toLocaleString()}>
      {atMs <= nowMs ? 'due now' : `next in ${formatAge(atMs - nowMs)}`}
    </time>
  );
}
