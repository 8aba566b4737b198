import type { GapCause } from '../domain/frame.ts';

/** Returns why records may be missing, as the end of a sentence. */
export function gapCauseText(cause: GapCause): string {
  switch (cause.code) {
    case 'rotated':
      return 'the log was rotated on the node';
    case 'begins-late':
      return 'the log on the node begins only then, probably because it was rotated';
    case 'runs-gone':
      return cause.data.count === 1
        ? '1 earlier run is no longer on the node, which keeps one'
        : `${cause.data.count} earlier runs are no longer on the node, which keeps one`;
    case 'run-removed':
      return 'the container restarted, and the node removed its earlier run';
    case 'run-lost':
      return 'a run ended, and the node removed it before logtool could read it';
    case 'restarted-twice':
      return 'the container restarted more than once';
    case 'pod-deleted':
      return `the pod was deleted ${WHEN[cause.data.during]}`;
    case 'previous-unreadable':
      return `logtool cannot read the previous run: ${cause.data.why}`;
    case 'log-gone':
      return 'the log disappeared while logtool read it';
    case 'end-unread':
      return 'logtool could not read the log to its end';
    default:
      return codeOf(cause satisfies never);
  }
}

/** Returns the code of a cause without a text: a newer server may send one that an older page does not know. */
function codeOf(cause: never): string {
  return (cause as GapCause | undefined)?.code ?? 'the cause is unknown';
}

const WHEN = {
  read: 'while logtool was reading its log',
  cut: 'while the connection to its log was down',
  'uncertain-end': 'before logtool could confirm the end of its log',
} as const;
