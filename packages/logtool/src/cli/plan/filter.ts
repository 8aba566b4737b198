import { usageError } from '@logtool/kube/src/values/errors.ts';
import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { type FilterPlan, LEVELS, type Level } from '../../domain/filter.ts';
import { joinPatterns } from './join-patterns.ts';
import type { Setting, Settings } from './settings.ts';
import { badValue, readBoolean, readList, readOptionalCount } from './values.ts';

const LEVEL_WORDS: Readonly<Record<string, Level>> = {
  critical: 'fatal',
  err: 'error',
  warning: 'warn',
  information: 'info',
};

/** Content filters, checked. The regular expression library is loaded only when there is a pattern. */
export async function planFilter(settings: Settings): Promise<FilterPlan> {
  const patterns = settings.allGiven('grep');
  if (patterns.length > 0 && !readBoolean(settings, 'force')) throw grepNeedsForce();
  const ignoreCase = readBoolean(settings, 'ignore-case');
  const grep = await readPatterns(patterns, ignoreCase);
  await readPatterns(settings.allGiven('exclude'), ignoreCase);
  const exclude = settings.allGiven('exclude').map((use) => use.value ?? '');
  const levels = readLevels(settings);
  const around = readOptionalCount(settings, 'context-lines');
  const beforeContext = readOptionalCount(settings, 'before-context') ?? around ?? 0;
  const afterContext = readOptionalCount(settings, 'after-context') ?? around ?? 0;
  if (beforeContext + afterContext > 0 && grep === undefined && levels.length === 0) {
    throw contextNeedsFilter(settings);
  }
  return { grep, exclude, ignoreCase, levels, beforeContext, afterContext };
}

/** The engine repeats the part that it did not understand, however long it is. */
const LONGEST_WHY = 300;

/** Several patterns as one that matches where any of them does; each is checked by itself first. */
export async function readPatterns(
  uses: readonly Setting[],
  ignoreCase: boolean,
): Promise<string | undefined> {
  if (uses.length === 0) return undefined;
  const { SMALLER, sizeOf, whyTooLarge } = await import('../../stream/match/pattern-limits.ts');
  const { RE2JS } = await import('re2js');
  let size = 0;
  for (const use of uses) {
    // Before it is compiled: that takes time in proportion.
    size += sizeOf(use.value ?? '', ignoreCase);
    const tooLarge = whyTooLarge(size);
    if (tooLarge !== undefined) throw badValue('pattern-too-large', use, tooLarge, SMALLER);
    try {
      RE2JS.compile(use.value ?? '', ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    } catch (error) {
      const why = (error as Error).message.replace(/^error parsing regexp: /, '').slice(0, LONGEST_WHY);
      throw badValue(
        'bad-pattern',
        use,
        `it is not a regular expression: ${why}`,
        'write RE2 syntax, as Go has it',
      );
    }
  }
  return joinPatterns(uses.map((use) => use.value ?? ''));
}

function readLevels(settings: Settings): readonly Level[] {
  const written = settings.given('level')?.written ?? '--level';
  return readList(settings, 'level').map((text) => {
    const word = text.toLowerCase();
    const level =
      LEVELS.find((each) => each === word) ??
      (Object.hasOwn(LEVEL_WORDS, word) ? LEVEL_WORDS[word] : undefined);
    if (level !== undefined) return level;
    const near = nearNames(word, LEVELS, 1)[0];
    const next = near === undefined ? 'write --level=error,warn' : `did you mean ${near}?`;
    throw badValue('bad-choice', { value: text, written }, `it must be one of ${LEVELS.join(', ')}`, next);
  });
}

function grepNeedsForce() {
  return usageError({
    code: 'grep-needs-force',
    what: '--grep needs --force',
    why: 'it reads all records over the network and filters them on this side',
    next: 'add --force; --since, --level, --tail=N with `| grep`, or fewer sources cost less',
  });
}

function contextNeedsFilter(settings: Settings) {
  const use =
    settings.given('after-context') ?? settings.given('before-context') ?? settings.given('context-lines');
  return usageError({
    code: 'context-needs-filter',
    what: `${use?.written ?? '--context-lines'} needs --grep or --level`,
    why: 'without a filter there are no matches to show the context of',
    next: 'add --grep RE --force or --level LIST',
  });
}
