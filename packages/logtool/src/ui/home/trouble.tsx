import { Countdown } from '../app/chrome/countdown.tsx';
import { ErrorText } from '../app/chrome/error-text.tsx';
import { messageOf } from '../messages/message-of.ts';
import { pageError } from '../messages/page.ts';
import { sentence } from '../messages/sentence.ts';
import type { FeedState } from './feed/workload-store.ts';

interface TroubleProps {
  readonly feed: Extract<FeedState, { state: 'retrying' | 'failed' }>;
  readonly onRetry: () => void;
}

/** The cluster or logtool does not answer, and there is nothing to show: shows the cause and Retry. */
export function TroublePage({ feed, onRetry }: TroubleProps) {
  return (
    <div className="empty" role="alert">
      <ErrorText error={feed.error ?? NO_CAUSE} />
      <p className="buttons">
        <button type="button" className="button" onClick={onRetry}>
          Retry
        </button>
        {feed.state === 'retrying' && feed.retryAtMs !== undefined ? (
          <span className="dim">
            Retrying <Countdown untilMs={feed.retryAtMs} />
          </span>
        ) : null}
      </p>
    </div>
  );
}

/** The same, above the last known list. */
export function TroubleLine({ feed, onRetry }: TroubleProps) {
  return (
    <p className="notice warn-text" role="status">
      {sentence(messageOf(feed.error ?? NO_CAUSE).what)}: showing the last known list.{' '}
      {feed.state === 'retrying' && feed.retryAtMs !== undefined ? (
        <>
          Retrying <Countdown untilMs={feed.retryAtMs} />.{' '}
        </>
      ) : null}
      <button type="button" className="text-button" onClick={onRetry}>
        Retry
      </button>
    </p>
  );
}

const NO_CAUSE = pageError('cluster-unreachable', {});
