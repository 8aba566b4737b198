import { parseTimestamp, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { timeText } from '../../../messages/dated-time.ts';
import { unlessGone } from '../../../worker/session/log-worker-client.ts';
import { factIdOf } from '../../../worker/store/link.ts';
import { focusLog } from '../../scroll/focus-log.ts';
import type { ToolProps } from '../../tools/slots.ts';

/**
 * Shown if the line or event of a link is missing: the node deleted its log, the cluster its event, or a range or another
 * cluster excludes it.
 */
export function GoneLine({ tools }: { readonly tools: ToolProps }) {
  const { state, session, clock } = tools;
  const { goneLine } = state;
  if (goneLine === undefined) return null;
  const at = parseTimestamp(goneLine.slice(0, goneLine.indexOf('~')));
  const close = () => {
    session.setGoneLine(undefined);
    focusLog();
  };
  return (
    <p className="strip" role="alert" data-gone-line>
      {factIdOf(goneLine) === undefined
        ? 'The line of this link is no longer in the logs.'
        : 'The event of this link is no longer among the events of this view.'}{' '}
      {at === undefined ? null : (
        <>
          <button
            type="button"
            className="text-button"
            onClick={() => {
              unlessGone(session.jump({ at: 'time', ...at }, 'middle'));
              close();
            }}
          >
            Go to {timeText(clock, timestampToMs(at))}
          </button>
          {' · '}
        </>
      )}
      <button type="button" className="text-button" onClick={close}>
        Dismiss
      </button>
    </p>
  );
}
