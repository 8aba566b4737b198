import { LATE_SECONDS } from '../domain/coverage/lost.ts';
import type { GapCause } from '../domain/frame.ts';
import { lengthText } from './facts.ts';
import { whyText } from './problems.ts';
import { unknownCodeText, unknownMemberText } from './unknown-code.ts';

type BeginsLate = Extract<GapCause, { readonly code: 'begins-late' | 'run-begins-late' }>;

/** Returns `more than 10 min after the container started`, the least that holds for any log that begins late. */
export const LATE_TEXT = `more than ${LATE_SECONDS / 60} min after the container started`;

/** Returns why records may be missing, as the end of a sentence. */
export function gapCauseText(cause: GapCause): string {
  switch (cause.code) {
    case 'rotated':
      return 'the node rotated the log';
    case 'begins-late':
      return beginsLateText(cause, 'the log');
    case 'run-begins-late':
      return beginsLateText(cause, 'the log of this run');
    case 'runs-gone':
      return cause.data.count === 1
        ? 'the node no longer has 1 earlier run; it keeps one'
        : `the node no longer has ${cause.data.count} earlier runs; it keeps one`;
    case 'run-removed':
      return 'the container restarted, and the node removed its earlier run';
    case 'run-lost':
      return 'a run ended, and the node removed it before logtool could read it';
    case 'restarted-twice':
      return 'the container restarted more than once';
    case 'pod-deleted':
      return deletedText(cause.data.during);
    case 'previous-unreadable':
      return `logtool cannot read the previous run: ${whyText(cause.data.why)}`;
    case 'log-gone':
      return 'the log disappeared while logtool read it';
    case 'end-unread':
      return 'logtool could not read the log to its end';
    default:
      return unknownMemberText(cause satisfies never, 'code');
  }
}

function beginsLateText({ data }: BeginsLate, log: string): string {
  if (data.wasRotated === true) return `the node has rotated ${log} since logtool last read it`;
  return `${log} begins ${LATE_TEXT}`;
}

/**
 * Returns what is known of a log that begins late, as a sentence without its subject: when it begins, and how long after
 * the start. Undefined for another cause, and if the beginning is unknown.
 */
export function lateBeginningText(cause: GapCause): string | undefined {
  if (cause.code !== 'begins-late' && cause.code !== 'run-begins-late') return undefined;
  if (cause.data.beginsAt === undefined) return undefined;
  const { beginsAt, afterSeconds, wasRotated } = cause.data;
  const after =
    afterSeconds === undefined ? '' : `, ${lengthText(afterSeconds * 1_000)} after the container started`;
  const log = cause.code === 'run-begins-late' ? 'the log of a later run' : 'the log';
  const text = `${log} begins at ${beginsAt}${after}`;
  return wasRotated === true
    ? `${text}: the node rotated it, and earlier records that logtool read are gone`
    : `${text}: earlier records may be gone`;
}

function deletedText(during: keyof typeof WHEN): string {
  return Object.hasOwn(WHEN, during) ? `the pod was deleted ${WHEN[during]}` : unknownCodeText(during);
}

const WHEN = {
  read: 'while logtool was reading its log',
  cut: 'while the connection to its log was down',
  'uncertain-end': 'before logtool could confirm the end of its log',
} as const;
