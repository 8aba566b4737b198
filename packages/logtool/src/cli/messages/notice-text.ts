import type { Coded, CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Progress } from '../../domain/frame.ts';
import type { Notices } from '../../domain/notice.ts';
import { type NoticeTexts, noticeTexts } from '../../messages/notice.ts';
import type { CliNotices } from '../failures.ts';
import { flagText } from './resolve.ts';
import { worded } from './worded.ts';

const FACTS = noticeTexts(flagText);

/** The terminal's text of each notice, with the flag that helps. */
const NOTICE_TEXTS: NoticeTexts<Notices & CliNotices> = {
  ...FACTS,
  'context-cut': (data) => `${FACTS['context-cut'](data)}; --before-context asks for more than fits`,
  'in-turns': (data) => `${FACTS['in-turns'](data)}; --max-log-requests=${data.total} follows all at once`,
  'search-limit': (data) => `${FACTS['search-limit'](data)}; --search-limit searches further`,
  'clock-set-back': (data) => `${FACTS['clock-set-back'](data)}; --all shows them`,
  'bytes-limited': ({ containers }) =>
    `--limit-bytes cut the records of ${containers === 1 ? 'one container' : `${containers} containers`}`,
};
const TEXTS: Readonly<Record<string, (data: never) => string>> = NOTICE_TEXTS;

export type CausedNotice = Coded & { readonly cause?: CodedError };

/**
 * Formats a notice with the failure behind it. A denied permission changes nothing; any other failure needs a
 * remedy.
 */
export function noticeText({ code, data, cause }: CausedNotice): string {
  // The table is typed: a code determines the type of the data.
  const text = TEXTS[code]?.(data as never) ?? code;
  if (cause === undefined) return text;
  const { what, next } = worded(cause);
  const remedy = next === undefined || code.endsWith('-forbidden') ? '' : `; ${next}`;
  return `${text}: ${what}${remedy}`;
}

/** Describes the progress of a view, for the terminal line that later text overwrites. */
export function progressText(progress: Progress): string {
  switch (progress.code) {
    case 'in-turns': {
      const { limit, total } = progress.data;
      return `reading ${limit} of ${total} containers at a time, in turns; --max-log-requests=${total} reads all at once`;
    }
    case 'containers-read': {
      const { done, total } = progress.data;
      return `${done} of ${total} containers read; --max-log-requests reads more at once`;
    }
    case 'searching-back':
      return `searching further back, ${Math.round(progress.data.bytes / 1e6)} MB read`;
  }
}
