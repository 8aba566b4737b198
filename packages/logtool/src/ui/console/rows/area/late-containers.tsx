import { useNow } from '../../../app/chrome/use-now.ts';
import { unansweredText } from '../../../messages/standing.ts';
import type { Unanswered } from '../../../worker/protocol/protocol.ts';
import { focusLog } from '../../scroll/focus-log.ts';
import { leaveOut } from '../../tools/facet-change.ts';
import type { ToolProps } from '../../tools/slots.ts';

/** The containers that have not answered: the shown lines come from the others. */
export function LateContainers({ tools }: { readonly tools: ToolProps }) {
  const { unanswered } = tools.state.status;
  if (unanswered === undefined) return null;
  return (
    <p
      className="strip"
      role="status"
      aria-label="Containers that have not answered"
      data-unanswered={unanswered.ids.length}
    >
      {/* Screen readers do not announce the seconds. */}
      <span role="timer" aria-live="off">
        <Text unanswered={unanswered} />
      </span>
      {' · '}
      <button
        type="button"
        className="text-button"
        onClick={() => {
          tools.setUrl(leaveOut(tools.url, tools.state.sources, unanswered.ids));
          focusLog();
        }}
      >
        Leave out
      </button>
    </p>
  );
}

function Text({ unanswered }: { readonly unanswered: Unanswered }) {
  return unansweredText(unanswered, useNow());
}
