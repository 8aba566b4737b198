import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import type { WireError } from '../../contract/error.ts';
import type { Notices, ServerNotices } from '../../domain/notice.ts';
import { type NoticeTexts, noticeTexts } from '../../messages/notice.ts';
import { unknownCodeText } from '../../messages/unknown-code.ts';
import { logMessageOf } from './log-message-of.ts';
import { filterText } from './resolve.ts';

/** The page's text for each notice. */
const NOTICE_TEXTS: NoticeTexts<Notices & ServerNotices> = {
  ...noticeTexts(filterText),
  'deleted-meanwhile': ({ ids: { length } }) =>
    length === 1
      ? 'a container was deleted meanwhile; its last lines may be missing'
      : `${length} containers were deleted meanwhile; their last lines may be missing`,
};
const TEXTS: Readonly<Record<string, (data: never) => string>> = NOTICE_TEXTS;

/**
 * Returns the text of a notice and of the failure that caused it. A notice that only a newer server
 * knows shows its code.
 */
export function noticeText({
  code,
  data,
  cause,
}: Coded & { readonly cause?: WireError | undefined }): string {
  // The table is typed: the code determines the type of the data.
  const textOf =
    Object.hasOwn(TEXTS, code) && typeof data === 'object' && data !== null ? TEXTS[code] : undefined;
  const text = textOf?.(data as never) ?? unknownCodeText(code);
  return cause === undefined ? text : `${text}: ${logMessageOf(cause).what}`;
}
