import type { LogRecord } from '../../domain/record.ts';
import type { CompiledSearch } from './compile-search.ts';
import type { Matcher } from './create-matcher.ts';

/** Adds the conditions on fields to a matcher: a record that it matches must meet them too. */
export function withFields(matcher: Matcher, { finds }: Pick<CompiledSearch, 'finds'>): Matcher {
  if (finds === undefined) return matcher;
  const { matches } = matcher;
  const both = (record: LogRecord) => matches(record) && finds(record);
  return { ...matcher, matches: Object.assign(both, { prepare: matches.prepare }) };
}
