import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seeded } from '../../../../../test/support/engine/search-logs.ts';
import { NORMAL_LINES, TRACES } from '../../../../../test/support/records/traces.ts';
import { LEVELS } from '../../domain/filter.ts';
import { shapeOf } from '../../domain/records/line-shape.ts';
import { headText, shapeOfLine } from './leveled-line.ts';

const LINES = [...NORMAL_LINES, ...TRACES.flatMap(({ lines }) => lines)];
const BEGINNINGS = [
  'level=info ',
  'INFO ',
  'a=b',
  'at=',
  '7 ',
  '{"',
  '\u001b[31mINFO ',
  'x=\u001b[1m',
  'x=\u0001y',
  'é ',
  '',
];
const ENDS = ['', ' {', '[', '{\u001b[0m', '\r', ':3:in `x', ":12:in 'add': boom (KeyError)", ' (', ')'];
const TOKENS = LINES.flatMap((line) => line.split(/(?<=[ :=.])/));
const line = fc.oneof(
  fc.constantFrom(...LINES),
  fc.tuple(fc.constantFrom(...BEGINNINGS), fc.constantFrom(...LINES), fc.constantFrom(...ENDS)),
  fc.tuple(fc.array(fc.constantFrom(...TOKENS), { minLength: 1, maxLength: 4 }), fc.constantFrom(...ENDS)),
);

test('the bytes of a line say nothing of its shape that its text does not', () => {
  fc.assert(
    fc.property(line, fc.integer({ min: 0, max: LEVELS.length }), (pieces, level) => {
      const record = { message: Buffer.from([pieces].flat(2).join('')) };
      expect(shapeOfLine(record, level)).toBe(shapeOf(headText(record), level));
    }),
    seeded(5_000),
  );
});
