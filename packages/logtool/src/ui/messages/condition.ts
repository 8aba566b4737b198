import type { SourceCondition } from '../worker/session/protocol.ts';

/** How a container stands, for the list of containers: `finished (exit 1)`. */
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
    case 'away':
      return 'disconnected';
    case 'failed':
      return 'cannot be read';
    case 'finished':
      return `finished (exit ${condition.exitCode})`;
    case 'gone':
      return 'gone';
    default:
      // A condition of a newer worker.
      return noText(condition);
  }
}

function noText(_condition: never): string {
  return '';
}
