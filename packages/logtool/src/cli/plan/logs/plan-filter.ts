import type { FilterPlan } from '../../../domain/filter.ts';
import { parseFieldExpression } from '../../../domain/search/field-expression.ts';
import type { FieldFilter } from '../../../domain/search/line-search.ts';
import type { Window } from '../../../domain/window.ts';
import { badValue, usageFailure } from '../../messages/errors.ts';
import type { Setting } from '../../settings/setting.ts';
import type { Settings } from '../../settings/settings.ts';
import { writtenCursor } from './bounds.ts';

/**
 * Constructs to skip as a whole, so that nothing in them looks like a group: a quotation, with its end if it
 * has one; an escape; a class, which a leading `]` and `[:names:]` do not end. Also the beginning of a named
 * group.
 */
const PIECES = /\\Q(?:(?!\\E).)*(?:\\E)?|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<\w+>/gsu;
const BRACKETS = /\\.|\[:\^?\w+:\]|\[/gsu;

/** Plans content filters and checks them. Loads the regular expression library only for a pattern. */
export async function planFilter(settings: Settings<'logs'>, window: Window): Promise<FilterPlan> {
  const patterns = settings.allGiven('grep');
  if (patterns.length > 0 && !settings.value('force')) throw grepNeedsForce();
  const ignoreCase = settings.value('ignore-case');
  const joined = await readPatterns(patterns, ignoreCase);
  const { grep, also } = settings.value('all-match')
    ? { grep: patterns[0]?.value, also: patterns.slice(1).map(({ value }) => value ?? '') }
    : { grep: joined, also: [] };
  await readPatterns(settings.allGiven('exclude'), ignoreCase);
  const exclude = settings.value('exclude');
  const levels = settings.value('level');
  const fields = settings.allGiven('where').map(readField);
  const around = settings.value('context-lines');
  const beforeContext = settings.value('before-context') ?? around ?? 0;
  const afterContext = settings.value('after-context') ?? around ?? 0;
  const hasContext = beforeContext + afterContext > 0;
  const hasFilter = grep !== undefined || levels.length + fields.length > 0;
  if (hasContext && !hasFilter) throw contextNeedsFilter(settings);
  if (hasContext) checkIsNoPage(settings, window);
  const wholeRecords = planGrouping(settings, window, { hasContext, hasFilter });
  return { grep, also, exclude, ignoreCase, levels, fields, beforeContext, afterContext, wholeRecords };
}

function readField(use: Setting): FieldFilter {
  const field = parseFieldExpression(use.value ?? '');
  if (typeof field === 'object') return field;
  throw badValue(field === 'no-number' ? 'bad-field-number' : 'bad-field', use, {});
}

/** Whether records of several lines pass as a whole, and count as one. */
function planGrouping(
  settings: Settings<'logs'>,
  window: Window,
  { hasContext, hasFilter }: { readonly hasContext: boolean; readonly hasFilter: boolean },
): boolean {
  const grouping = settings.value('group');
  if (grouping === 'always') {
    const written = settings.given('group')?.written ?? '--group';
    if (hasContext) throw usageFailure('exclusive-group', { other: writtenContext(settings), written });
    const page = writtenPage(settings, window);
    if (page !== undefined) throw usageFailure('exclusive-group', { other: page, written });
    return true;
  }
  if (settings.value('count')) return grouping === 'auto';
  const isPage = writtenPage(settings, window) !== undefined;
  return grouping === 'auto' && hasFilter && !hasContext && !isPage;
}

/** The engine repeats the invalid part, however long it is. */
const MAX_WHY_CHARACTERS = 300;

/** Joins several patterns into one that matches if any of them does; checks each separately first. */
export async function readPatterns(
  uses: readonly Setting[],
  ignoreCase: boolean,
): Promise<string | undefined> {
  if (uses.length === 0) return undefined;
  const { oversize, sizeOf } = await import('../../../stream/match/pattern-limits.ts');
  const { RE2JS } = await import('re2js');
  let size = 0;
  for (const use of uses) {
    // Before compiling, which takes time in proportion to the size.
    size += sizeOf(use.value ?? '', ignoreCase);
    const tooLarge = oversize(size);
    if (tooLarge !== undefined) throw badValue('pattern-too-large', use, tooLarge);
    try {
      RE2JS.compile(use.value ?? '', ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    } catch (error) {
      const why = (error as Error).message
        .replace(/^error parsing regexp: /, '')
        .slice(0, MAX_WHY_CHARACTERS);
      throw badValue('bad-pattern', use, { why });
    }
  }
  return joinPatterns(uses.map((use) => use.value ?? ''));
}

function grepNeedsForce() {
  return usageFailure('grep-needs-force', {});
}

/** Returns the flag that asks for context, as typed. */
function writtenContext(settings: Settings<'logs'>): string {
  const use =
    settings.given('after-context') ?? settings.given('before-context') ?? settings.given('context-lines');
  return use?.written ?? '--context-lines';
}

/** Lines around a match could be on another page, so a page has no context. */
function checkIsNoPage(settings: Settings<'logs'>, window: Window): void {
  const page = writtenPage(settings, window);
  if (page !== undefined)
    throw usageFailure('exclusive-context', { page, written: writtenContext(settings) });
}

/** Returns what makes a window a page, as typed. A plain time does not begin or end a page. */
function writtenPage(settings: Settings<'logs'>, { from, to }: Window): string | undefined {
  if (settings.value('with-cursors')) return '--with-cursors';
  if (from?.kind === 'cursor') return writtenCursor(settings, 'after');
  return to?.kind === 'cursor' ? writtenCursor(settings, 'before') : undefined;
}

function contextNeedsFilter(settings: Settings<'logs'>) {
  return usageFailure('context-needs-filter', { written: writtenContext(settings) });
}

/**
 * Joins several RE2 patterns into one that matches if any of them does. Each must compile separately. Removes
 * names of groups: nothing uses them, and two patterns may share a name, which one pattern may not.
 */
export function joinPatterns(patterns: readonly string[]): string {
  return patterns.length === 1 ? (patterns[0] ?? '') : patterns.map((each) => `(?:${group(each)})`).join('|');
}

function group(pattern: string): string {
  return pattern.replaceAll(PIECES, (piece) => {
    if (piece.startsWith('(')) return '(';
    // A construct that ends with the pattern (`\Qa.b`) must not include what follows it.
    if (piece.startsWith('\\Q')) return piece.endsWith('\\E') ? piece : `${piece}\\E`;
    // After `[:` in a class, any later `:]` would look like its end.
    if (piece.startsWith('['))
      return `[${piece.slice(1).replaceAll(BRACKETS, (found) => (found === '[' ? '\\[' : found))}`;
    return piece;
  });
}
