import { localTimeText } from '../messages/local-time.ts';
import { useShell } from '../shell/shell-context.ts';
import { isUncounted } from './feed/denied-scopes.ts';
import type { FeedState, WorkloadList } from './feed/workload-store.ts';

const STATE_TEXTS: { readonly [S in FeedState['state']]: string } = {
  loading: 'connecting',
  live: 'connected',
  polling: 'connected',
  retrying: 'reconnecting',
  failed: 'not connected',
};

const MOODS: { readonly [S in FeedState['state']]: string } = {
  loading: '',
  live: 'live',
  polling: 'live',
  retrying: 'trouble',
  failed: 'trouble',
};

interface HomeStatusProps {
  readonly list: WorkloadList;
  /** Count of the whole cluster, regardless of filters. */
  readonly workloads: number;
}

/** The line at the bottom: whether the list is live, and how much it covers. */
export function HomeStatus({ list, workloads }: HomeStatusProps) {
  const { openKeys } = useShell();
  const { feed, liveSinceMs, pods, isComplete } = list;
  const isCounted = isComplete && !isUncounted(list);
  return (
    <footer className="status-bar">
      <span className={`lamp-text ${MOODS[feed.state]}`} role="status" data-feed={feed.state}>
        <i className="lamp" aria-hidden="true" />
        {STATE_TEXTS[feed.state]}
      </span>
      {isCounted ? (
        <span>
          <b>{workloads.toLocaleString('en')}</b> workload{workloads === 1 ? '' : 's'},{' '}
          <b>{pods.toLocaleString('en')}</b> pod{pods === 1 ? '' : 's'}
        </span>
      ) : null}
      {liveSinceMs === undefined || !isCounted ? null : (
        <span className="wide-only">
          {feed.state === 'polling' ? 'polling since' : 'live since'}{' '}
          <b>{localTimeText(liveSinceMs).slice(11)}</b>
        </span>
      )}
      <span className="gap" />
      <button type="button" onClick={openKeys}>
        <kbd>?</kbd> keys
      </button>
    </footer>
  );
}
