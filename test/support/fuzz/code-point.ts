import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const COUNT = 0x110000 - SURROGATES.count;

/**
 * Every code point but half surrogate pairs, for `fc.string({ unit: codePoint })`. It draws and shrinks exactly as the unit
 * `binary` of fast-check does, which lists its 1.1 million code points in a map before the first case.
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
