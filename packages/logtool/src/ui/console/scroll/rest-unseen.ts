import type { Visibility } from '../../app/page-visibility.ts';
import type { TabStreams } from '../../app/tab-streams.ts';
import type { LogWorker } from '../../worker/session/log-worker-client.ts';

/**
 * A console that is not visible leaves its connection to other tabs when they need it, and continues exactly
 * where it was as soon as it is visible. Returns how to stop.
 */
export function restUnseen(
  worker: Pick<LogWorker, 'send' | 'subscribe'>,
  streams: Pick<TabStreams, 'hold'>,
  visibility: Visibility,
): () => void {
  let release: (() => void) | undefined;
  let isResting = false;
  const leave = () => {
    release = undefined;
    isResting = true;
    worker.send({ type: 'rest', isResting });
  };
  const hold = () => {
    release ??= streams.hold(leave);
  };
  const ends = [
    visibility.subscribe(() => {
      if (!isResting || visibility.isHidden()) return;
      isResting = false;
      worker.send({ type: 'rest', isResting });
      hold();
    }),
    worker.subscribe('status', ({ status }) => {
      if (isResting) return;
      if (status.connection.state !== 'ended') return hold();
      release?.();
      release = undefined;
    }),
    () => release?.(),
  ];
  hold();
  return () => {
    for (const end of ends) end();
  };
}
