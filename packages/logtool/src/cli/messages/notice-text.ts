import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { worded } from './worded.ts';

export interface CausedNotice {
  readonly code: string;
  readonly text: string;
  readonly cause?: CodedError;
}

/**
 * A notice with the failure whose effect it reports. A refusal changes nothing; any other failure needs a
 * remedy.
 */
export function noticeText({ code, text, cause }: CausedNotice): string {
  if (cause === undefined) return text;
  const { what, next } = worded(cause);
  const remedy = next === undefined || code.endsWith('-forbidden') ? '' : `; ${next}`;
  return `${text}: ${what}${remedy}`;
}
