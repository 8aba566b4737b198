import fc from 'fast-check';
import { expect, test } from 'vitest';
import { damage, damaged } from '../../../../test/support/fuzz/damage.ts';
import { hostileBytes } from '../../../../test/support/fuzz/hostile-text.ts';
import { FUZZ, FUZZED } from '../../../../test/support/fuzz/seed.ts';
import { type EntryReading, readEntries } from './read-entries.ts';

const field = fc.tuple(
  fc.constantFrom(
    '2026-11-21T10:00:00.123456789Z',
    '2026-11-21T10:00:00,5+05:30',
    '2026-99-21T10:00:00Z',
    '20',
  ),
  fc.constantFrom(' stdout ', ' stderr ', ' stdin ', ' ', ''),
  fc.constantFrom('F ', 'P ', 'P:x ', 'FP ', ' ', 'F', ''),
);
const file = fc
  .tuple(fc.array(fc.tuple(field, hostileBytes), { maxLength: 6 }), damage)
  .map(([entries, harm]) => {
    const lines = entries.flatMap(([fields, message]) => [
      Buffer.from(fields.join('')),
      message,
      Buffer.from('\n'),
    ]);
    return damaged(Buffer.concat(lines), harm);
  });

function reading(timestamps: boolean): EntryReading {
  return {
    timestamps,
    sinceMs: undefined,
    entriesLeft: Number.POSITIVE_INFINITY,
    bytesLeft: Number.POSITIVE_INFINITY,
    atLineStart: true,
    unterminated: false,
    format: 'open',
    unknownLine: '',
  };
}

test(`any file of a container runtime is read to an end, in one go as in many (${FUZZED})`, () => {
  let bytesRead = 0;
  fc.assert(
    fc.property(file, fc.boolean(), fc.nat({ max: 80 }), (bytes, timestamps, bytesLeft) => {
      const whole = readEntries(bytes, 0, bytes.length, reading(timestamps));
      const step = reading(timestamps);
      const chunks: Buffer[] = [];
      for (let at = 0, before = -1; at !== before; ) {
        before = at;
        const chunk = readEntries(bytes, at, bytes.length, step, 1);
        at = chunk.end;
        chunks.push(Buffer.from(chunk.body));
      }
      expect(Buffer.concat(chunks).equals(whole.body)).toBe(true);
      const limited = readEntries(bytes, 0, bytes.length, { ...reading(timestamps), bytesLeft });
      expect(limited.body.equals(whole.body.subarray(0, bytesLeft))).toBe(true);
      if (!timestamps) expect(whole.body.length).toBeLessThanOrEqual(bytes.length);
      bytesRead += whole.body.length;
    }),
    FUZZ,
  );
  expect(bytesRead).toBeGreaterThan(FUZZ.numRuns / 4);
});
