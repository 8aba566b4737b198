import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../../../test/support/fuzz/code-point.ts';
import { byteLength, bytesToText, GoBytes, textToBytes } from './bytes.ts';
import { formatFloat } from './float.ts';
import { sprint, sprintf } from './print.ts';
import { quote } from './quote.ts';
import { nilMap, typed } from './type.ts';
import { unquote } from './unquote.ts';
import { GoInt, type Value } from './value.ts';

it.each([
  [0.5, 'f', 0, '0'],
  [1.5, 'f', 0, '2'],
  [2.5, 'f', 0, '2'],
  [0.045, 'f', 2, '0.04'],
  [1.005, 'f', 2, '1.00'],
  [9.995, 'f', 2, '9.99'],
  [99.5, 'f', 0, '100'],
  [1e23, 'f', -1, '100000000000000000000000'],
  [5e-324, 'g', -1, '5e-324'],
  [5e-324, 'f', 3, '0.000'],
  [123456, 'g', -1, '123456'],
  [1234567, 'g', -1, '1.234567e+06'],
  [1234567, 'g', 3, '1.23e+06'],
  [0.0001, 'g', -1, '0.0001'],
  [0.00001, 'g', -1, '1e-05'],
  [100, 'g', 3, '100'],
  [100, 'g', 2, '1e+02'],
  [-0, 'g', -1, '-0'],
  [1.5, 'x', -1, '0x1.8p+00'],
  [1, 'b', -1, '4503599627370496p-52'],
] as const)('writes %d by %s and %d as %s', (value, verb, precision, text) => {
  expect(formatFloat(value, verb, precision)).toBe(text);
});

it('reads back every float from its fewest digits', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      for (const verb of ['g', 'e', 'f'] as const) expect(Number(formatFloat(value, verb))).toBe(value);
    }),
  );
});

it('reads back every text from its quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.boolean(), (text, isAscii) => {
      const written = textToBytes(text);
      const quoted = quote(bytesToText(written), isAscii);
      expect(textToBytes(unquote(quoted)!)).toEqual(written);
    }),
  );
});

it('loses no byte between bytes and text, and counts them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = bytesToText(bytes);
      expect(textToBytes(text)).toEqual(bytes);
      expect(byteLength(text)).toBe(bytes.length);
    }),
  );
});

it('writes whatever the format and the arguments, and never throws', () => {
  const values = fc.oneof<fc.Arbitrary<Value>[]>(
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => new GoInt(value)),
    fc.constant([1, 'a', null]),
    fc.constant(new Map<string, Value>([['a', [true]]])),
  );
  const pieces = fc.constantFrom(...'%%%%#0+- .*[]1239vTtsqxXdoObcUeEfFgGpw!é'.split(''));
  fc.assert(
    fc.property(fc.array(pieces), fc.array(values, { maxLength: 4 }), (format, args) => {
      expect(typeof sprintf(format.join(''), args)).toBe('string');
    }),
    { numRuns: 3000 },
  );
});

it('prints typed lists, nil maps and bytes as Go does', () => {
  expect(sprint([typed<Value[]>(['a'], '[]string'), nilMap(), new GoBytes(Uint8Array.of(1, 255))])).toBe(
    '[a] map[] [1 255]',
  );
  const texts = typed<Value[]>(['a', 'b'], '[]string');
  expect(sprintf('%#v %#v %T %x', [texts, nilMap(), texts, new GoBytes(Uint8Array.of(1, 255))])).toBe(
    '[]string{"a", "b"} map[string]interface {}(nil) []string 01ff',
  );
});
