import type { LogRecord } from '../../domain/record.ts';
import type { Matcher } from './create-matcher.ts';
import { recordsThatMayHold } from './matching-indexes.ts';

/**
 * If many lines have the needle, this many batches are tested line by line before it is searched for again.
 */
const BATCHES_TESTED = 100;

/**
 * Finds the records of a batch that match. Tests only those that can: colors may split the text that a needle is
 * searched in.
 */
export function batchMatches({
  matches,
  include,
  possible,
}: Matcher): (records: readonly LogRecord[]) => readonly LogRecord[] {
  const needle = include?.needle;
  let batchesToTest = 0;
  return (records) => {
    const prepared = possible(records);
    if (prepared !== undefined) return prepared.filter(matches);
    if (needle === undefined || batchesToTest-- > 0) return records.filter(matches);
    const found = recordsThatMayHold(needle, records);
    if (found.length > records.length / 4) batchesToTest = BATCHES_TESTED;
    return found.filter(matches);
  };
}
