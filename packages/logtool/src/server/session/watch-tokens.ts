import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Session, Streams } from '../services.ts';

/** Maximum time for which streams without further cluster requests outlive a revoked token. */
export const CHECK_EVERY_MS = 60_000;

interface Watched {
  streams: number;
  cancel: () => void;
}

/**
 * Returns the same streams; while a session with its own token has any, checks the token repeatedly: an API server does
 * not end the requests of a revoked token, so a followed log would continue forever.
 */
export function watchTokens(options: {
  readonly clock: Clock;
  readonly streams: Streams;
  readonly stillGood: (session: Session) => Promise<boolean>;
}): Streams {
  const { clock, streams, stillGood } = options;
  const watched = new Map<string, Watched>();

  function check(session: Session, watch: Watched): void {
    watch.cancel = clock.after(CHECK_EVERY_MS, () => {
      void stillGood(session).then((isGood) => {
        if (isGood && watch.streams > 0) check(session, watch);
      });
    });
  }

  function leave(id: string, watch: Watched): void {
    watch.streams--;
    if (watch.streams > 0) return;
    watch.cancel();
    watched.delete(id);
  }

  return {
    open(session, kind) {
      const stream = streams.open(session, kind);
      if (session.bearer === undefined) return stream;
      let watch = watched.get(session.id);
      if (watch === undefined) {
        watch = { streams: 0, cancel() {} };
        watched.set(session.id, watch);
        check(session, watch);
      }
      watch.streams++;
      const held = watch;
      let isOver = false;
      return {
        signal: stream.signal,
        end() {
          stream.end();
          if (!isOver) leave(session.id, held);
          isOver = true;
        },
      };
    },
  };
}
