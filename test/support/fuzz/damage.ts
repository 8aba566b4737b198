import fc from 'fast-check';
import { hostileBytes } from './hostile-text.ts';

/**
 * One kind of damage to bytes: they end early, or a part of them is replaced (possibly by nothing) or
 * doubled.
 */
export interface Damage {
  readonly kind: 'none' | 'cut' | 'replace' | 'double';
  /** Position as a share of the length, 0 to 1. */
  readonly at: number;
  readonly length: number;
  readonly bytes: Uint8Array;
}

/** Values that can replace a JSON value, but make no sense. */
const oddJson = fc
  .constantFrom(
    'null',
    '[]',
    '{}',
    '-1',
    '1e999',
    '"\\u001b[2J"',
    '"\\ud800"',
    '{"__proto__":{"polluted":1}}',
    'true',
    '""',
    '}',
    ',',
    '"',
  )
  .map((text) => Buffer.from(text));

export const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('none', 'cut', 'replace', 'replace', 'replace', 'double'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 40 })),
  bytes: fc.oneof(hostileBytes, oddJson),
});

/** Applies one kind of damage to bytes. */
export function damaged(bytes: Uint8Array, { kind, at, length, bytes: instead }: Damage): Buffer {
  const whole = Buffer.from(bytes);
  const from = Math.min(whole.length, Math.floor(at * (whole.length + 1)));
  switch (kind) {
    case 'none':
      return whole;
    case 'cut':
      return whole.subarray(0, from);
    case 'replace':
      return Buffer.concat([whole.subarray(0, from), instead, whole.subarray(from + length)]);
    case 'double':
      return Buffer.concat([whole.subarray(0, from + length), whole.subarray(from)]);
  }
}
