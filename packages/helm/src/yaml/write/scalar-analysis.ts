import { isBreak } from '../scan/cursor.ts';
import type { YamlDialect } from './dialect.ts';

/** The styles that represent a text without changes (YAML 1.1, by the rules of libyaml's emitter). */
export interface ScalarAnalysis {
  readonly isMultiline: boolean;
  readonly plainAllowed: boolean;
  readonly singleQuotedAllowed: boolean;
  readonly literalAllowed: boolean;
}

const EMPTY: ScalarAnalysis = {
  isMultiline: false,
  plainAllowed: true,
  singleQuotedAllowed: true,
  literalAllowed: false,
};

const STARTS_WITH_INDICATOR = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?:[ \t]|$))/;
const HOLDS_INDICATOR = /.:(?:[ \t]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/s;
const BREAK = /[\r\n\u0085\u2028\u2029]/;
/** Matches characters that YAML 1.1 does not consider printable, including astral ones (surrogate pairs here). */
const SPECIAL = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** Analyzes a text and returns the styles that can represent it. */
export function analyzeScalar(text: string, { takesTabs }: YamlDialect): ScalarAnalysis {
  if (text === '') return EMPTY;
  const hasTab = text.includes('\t');
  const isMultiline = BREAK.test(text);
  const isSpecial = SPECIAL.test(hasTab && takesTabs ? text.replaceAll('\t', '') : text);
  const hasEdge = /^[ \r\n\u0085\u2028\u2029]|[ \r\n\u0085\u2028\u2029]$/.test(text);
  const hasIndicator = STARTS_WITH_INDICATOR.test(text) || HOLDS_INDICATOR.test(text);
  const spaceAfterBreak = isMultiline && /[\r\n\u0085\u2028\u2029] /.test(text);
  const spaceBeforeBreak = isMultiline && / [\r\n\u0085\u2028\u2029]/.test(text);
  const isHidden = spaceBeforeBreak || isSpecial;
  return {
    isMultiline,
    plainAllowed: !(hasEdge || isMultiline || isHidden || hasIndicator || hasTab),
    singleQuotedAllowed: !(spaceAfterBreak || isHidden || hasTab),
    literalAllowed: !(isHidden || text.endsWith(' ')),
  };
}

/** Whether a double-quoted scalar must escape the unit. */
export function needsEscape(unit: number): boolean {
  if (unit < 0x80) return unit < 0x20 || unit === 0x7f || unit === 0x22 || unit === 0x5c;
  return (
    unit < 0xa0 || isBreak(unit) || unit === 0xfeff || unit > 0xfffd || (unit >= 0xd800 && unit < 0xe000)
  );
}
