import type { Visibility } from '../../app/page-visibility.ts';
import type { TabStreams } from '../../app/tab-streams.ts';
import type { LogWorker } from '../../worker/session/log-worker-client.ts';

/**
 * A console that is not visible leaves its connections, of lines and of events, to other tabs when they need them, and
 * continues exactly where it was as soon as it is visible. Returns how to stop.
 */
export function restUnseen(
  worker: Pick<LogWorker, 'send' | 'subscribe'>,
  streams: Pick<TabStreams, 'hold'>,
  visibility: Visibility,
): () => void {
  const held = new Map<'lines' | 'events', () => void>();
  let isResting = false;
  const leave = () => {
    if (isResting) return;
    release('lines');
    release('events');
    isResting = true;
    worker.send({ type: 'rest', isResting });
  };
  const hold = (what: 'lines' | 'events') => {
    if (!held.has(what)) held.set(what, streams.hold(leave));
  };
  const release = (what: 'lines' | 'events') => {
    held.get(what)?.();
    held.delete(what);
  };
  const ends = [
    visibility.subscribe(() => {
      if (!isResting || visibility.isHidden()) return;
      isResting = false;
      worker.send({ type: 'rest', isResting });
      hold('lines');
    }),
    worker.subscribe('status', ({ status }) => {
      if (isResting) return;
      if (status.connection.state === 'ended') release('lines');
      else hold('lines');
      if (status.facts.isStreaming) hold('events');
      else release('events');
    }),
    () => release('lines'),
    () => release('events'),
  ];
  hold('lines');
  return () => {
    for (const end of ends) end();
  };
}
