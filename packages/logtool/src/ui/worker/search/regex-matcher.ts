import { stripSgrText } from '../../../domain/ansi.ts';
import { findSpans } from '../../../domain/find-spans.ts';
import { findPatternFault, type PatternFault } from '../../../domain/patterns/pattern-fault.ts';
import {
  type HitSpan,
  type LineMatcher,
  type Needle,
  needleOf,
} from '../../../domain/search/line-matcher.ts';
import { LINE_FLAGS, type LineSearch } from '../../../domain/search/line-search.ts';

/** Maximum marks in one line. */
const MAX_SPANS = 1_000;

export type Compiled = { readonly matcher: LineMatcher } | { readonly fault: PatternFault };

/** Compiles one regular expression (RE2 syntax): its time is linear in the text, for any pattern. */
export async function compileRegex(plan: LineSearch): Promise<Compiled> {
  const { RE2JS } = await import('re2js');
  const flags = plan.matchCase ? 0 : RE2JS.CASE_INSENSITIVE;
  const source = plan.wholeWord ? `\\b(?:${plan.text})\\b` : plan.text;
  try {
    // Compiles the text on its own first: the text put around it must not repair it.
    RE2JS.compile(plan.text, flags);
    const regex = RE2JS.compile(source, flags);
    const need = literalIn(plan.text, plan.matchCase);
    return {
      matcher: {
        needs: need === undefined ? [] : [need],
        refuses: [],
        levels: undefined,
        mustConfirm: true,
        matches: ({ text, flags: own }) =>
          regex.test((own & LINE_FLAGS.escapes) === 0 ? text : stripSgrText(text).text),
        spans: (plain) =>
          findSpans(regex.matcher(plain), plain.length)
            .slice(0, MAX_SPANS)
            .map(({ start, end }): HitSpan => [start, end]),
      },
    };
  } catch (error) {
    return { fault: findPatternFault(plan.text, error, (prefix) => RE2JS.compile(prefix, flags)) };
  }
}

/**
 * Returns a run of letters and digits that every match contains: the longest one outside groups, classes and
 * alternatives that no quantifier follows. Undefined if no run is certain.
 */
export function literalIn(pattern: string, matchCase: boolean): Needle | undefined {
  if (/[|\\()[\]{}]/.test(pattern) && !isSimple(pattern)) return undefined;
  let best = '';
  for (const match of pattern.matchAll(/[A-Za-z0-9 _=:,/"'<>@#%&;~-]+/g)) {
    const next = pattern[match.index + match[0].length] ?? '';
    // A letter after a backslash has another meaning.
    const start = pattern[match.index - 1] === '\\' ? 1 : 0;
    const run = match[0].slice(start, '*?{'.includes(next) && next !== '' ? -1 : undefined);
    if (run.length > best.length) best = run;
  }
  return best.length < 2 ? undefined : needleOf(best, matchCase);
}

/** Whether a pattern has only plain runs, dots, anchors, quantifiers and single escapes. */
function isSimple(pattern: string): boolean {
  return /^(?:[^|()[\]{}\\]|\\[.*+?()[\]{}^$|/\\dDwWsSbB-])*$/.test(pattern);
}
