import { quote } from '../value/quote.ts';
import type { Value } from '../value/value.ts';
import type { Cursor } from './cursor.ts';

const NUMBERS = [
  ['inf', Infinity],
  ['nan', Number.NaN],
] as const;

/** A value that begins with a letter. */
export function readWord(cursor: Cursor): Value {
  for (const [word, value] of NUMBERS) {
    if (!cursor.text.startsWith(word, cursor.at)) continue;
    cursor.at += word.length;
    return value;
  }
  const word = cursor.skip(/\p{L}/u);
  if (word === 'true' || word === 'false') return word === 'true';
  throw cursor.problem(`expected value but found ${quote(word)} instead`);
}
