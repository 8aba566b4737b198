import type { LogRecord } from '../../domain/record.ts';
import type { Matcher } from './create-matcher.ts';
import { recordsThatMayHold } from './matching-indexes.ts';

/** If many lines have the needle, tests this many batches line by line before it searches for the needle again. */
const BATCHES_TESTED = 100;

/** Finds the matching records of a batch. Tests only possible ones; colors may split the text of a needle. */
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
