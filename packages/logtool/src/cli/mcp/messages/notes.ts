import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Notices } from '../../../domain/notice.ts';
import { stateDetail } from '../../../messages/container-report.ts';
import { gapCauseText, lateBeginningText } from '../../../messages/gap.ts';
import { noticeTexts } from '../../../messages/notice.ts';
import { targetText } from '../../messages/target-text.ts';
import type { FactTrouble } from '../read-happened.ts';
import type { Trouble } from '../read-page.ts';
import { messageOf } from './message-of.ts';
import { filterText } from './resolve.ts';

const FACTS = noticeTexts(filterText);
const NOTICES: Readonly<Record<keyof Notices, (data: never) => string>> = {
  ...FACTS,
  'search-limit': (data: Notices['search-limit']) =>
    `${FACTS['search-limit'](data)}, not further; call again with until=${data.at} to continue`,
};

/** Describes in an answer something that is missing, or may be. */
export function noteText(trouble: Trouble | FactTrouble): string {
  return sanitizeText(textOf(trouble));
}

function gapText({ target, from, to, cause }: Extract<Trouble, { readonly type: 'gap' }>): string {
  const late = lateBeginningText(cause);
  if (late !== undefined) return `${targetText(target)}: ${late}`;
  const begin = from === undefined ? '' : ` from ${formatTimestamp(from)}`;
  const end = to === undefined ? '' : ` to ${formatTimestamp(to)}`;
  return `records of ${targetText(target)}${begin}${end} may be missing: ${gapCauseText(cause)}`;
}

function textOf(trouble: Trouble | FactTrouble): string {
  switch (trouble.type) {
    case 'failed':
      return messageOf(trouble.error).what;
    case 'gap':
      return gapText(trouble);
    case 'source': {
      const detail = stateDetail(trouble, (error) => messageOf(error).what);
      const others = trouble.others === undefined ? '' : ` and ${trouble.others} other containers`;
      const state = trouble.state === 'waiting' ? 'no log yet' : 'not read';
      return `${targetText(trouble.target)}${others}: ${state}${detail === '' ? '' : ` (${detail})`}`;
    }
    case 'notice': {
      if (trouble.code === 'source-failed') return messageOf(trouble.error).what;
      const text = NOTICES[trouble.code](trouble.data as never);
      return trouble.cause === undefined ? text : `${text}: ${messageOf(trouble.cause).what}`;
    }
  }
}
