import type { SourceCondition } from '../worker/protocol/protocol.ts';

/** Describes a container's state for the list of containers: `finished (exit 1)`. */
export function conditionText(condition: SourceCondition): string {
  switch (condition.kind) {
    case 'running':
      return 'running';
    case 'waiting':
      return condition.reason === '' ? 'waiting' : `waiting: ${condition.reason}`;
    case 'unanswered':
      return 'no answer';
    case 'forbidden':
      return 'forbidden';
    case 'refused':
      return 'credentials refused';
    case 'away':
      return 'disconnected';
    case 'failed':
      return 'unreadable';
    case 'between':
      return `ended${endText(condition)}, may restart`;
    case 'finished':
      return `finished${endText(condition)}`;
    case 'gone':
      return 'gone';
    default:
      // A condition from a newer worker.
      return noText(condition satisfies never);
  }
}

type Ended = Extract<SourceCondition, { readonly kind: 'finished' | 'between' }>;

/** Returns ` (exit 1)`, or the reason if there is no exit code. */
function endText({ reason, exitCode }: Ended): string {
  if (exitCode !== undefined) return ` (exit ${exitCode})`;
  return reason === undefined ? '' : ` (${reason})`;
}

function noText(_condition: never): string {
  return '';
}
