import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const COUNT = 0x110000 - SURROGATES.count;

/**
 * Every code point except surrogates, for `fc.string({ unit: codePoint })`. Draws and shrinks exactly like
 * fast-check's unit `binary`, which builds a map of its 1.1 million code points before the first case.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat({ max: COUNT - 1 }).map(
  (index) => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (point === undefined || text !== String.fromCodePoint(point)) throw new Error('no code point');
    if (point < SURROGATES.from) return point;
    if (point < SURROGATES.from + SURROGATES.count) throw new Error('half a surrogate pair');
    return point - SURROGATES.count;
  },
);
