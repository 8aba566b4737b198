import type { FieldFilter } from '../../domain/search/line-search.ts';
import { compileSearch } from './compile-search.ts';
import type { Matcher } from './create-matcher.ts';

/** Adds the conditions on fields to a matcher: a record that it matches must meet them too. */
export function withFields(matcher: Matcher, fields: readonly FieldFilter[]): Matcher {
  const { finds } = compileSearch({ search: undefined, fields });
  if (finds === undefined) return matcher;
  const { matches } = matcher;
  const both = (record: Parameters<typeof matches>[0]) => matches(record) && finds(record);
  return { ...matcher, matches: Object.assign(both, { prepare: matches.prepare }) };
}
