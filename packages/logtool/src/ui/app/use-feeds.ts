import { useCallback, useRef } from 'react';
import { WorkloadFeed } from '../home/feed/workload-feed.ts';
import { useApp } from './app-context.ts';
import { pageVisibility } from './page-visibility.ts';
import { pageStreams } from './tab-streams.ts';

/** Keeps as many lists as people switch between; the stream of an unseen one ends anyway. */
const KEPT = 4;

/** One feed for the same context and namespaces, so that the palette and the list share a stream. */
export function useFeeds(
  onReconnected: () => void,
): (context: string, namespaces: readonly string[]) => WorkloadFeed {
  const { api } = useApp();
  const feeds = useRef(new Map<string, WorkloadFeed>());
  return useCallback(
    (context, namespaces) => {
      const key = JSON.stringify([context, ...namespaces]);
      const known = feeds.current.get(key);
      if (known !== undefined) return known;
      const feed = new WorkloadFeed({
        api,
        context,
        namespaces,
        visibility: pageVisibility,
        hold: (onLeave) => pageStreams().hold(onLeave),
        onReconnected,
      });
      feeds.current.set(key, feed);
      for (const oldest of feeds.current.keys()) {
        if (feeds.current.size <= KEPT) break;
        feeds.current.delete(oldest);
      }
      return feed;
    },
    [api, onReconnected],
  );
}
