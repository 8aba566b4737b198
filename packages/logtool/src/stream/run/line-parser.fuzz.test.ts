import { formatTimestamp, parseTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { damage, damaged } from '../../../../../test/support/fuzz/damage.ts';
import { hostileBytes } from '../../../../../test/support/fuzz/hostile-text.ts';
import { FUZZ, FUZZED } from '../../../../../test/support/fuzz/seed.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { type LogRecord, makeRun } from '../../domain/record.ts';
import { BodyError, LineParser } from './line-parser.ts';

const source = makeRun({ podUid: 'uid', container: 'main' } as ContainerTarget, 'containerd://1');
const LIMIT_BYTES = 200;

const stamp = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      '2026-11-21T10:00:00.123456789Z',
      '2026-11-21T10:00:00Z',
      '2026-11-21T10:00:01.5+05:30',
      '0001-01-01T00:00:00.000000001+23:59',
      '9999-12-31T23:59:59.999999999-23:59',
    ),
  },
  fc.constantFrom(
    '0000-00-00T00:00:00Z',
    '2026-11-21T10:00:00',
    '0000-01-01T00:00:00+99:99',
    '',
    'rpc error:',
  ),
);
/** Mostly within one line. */
const message = fc.oneof(
  { weight: 9, arbitrary: hostileBytes.map((bytes) => bytes.map((byte) => (byte === 10 ? 11 : byte))) },
  hostileBytes,
);
const line = fc
  .tuple(stamp, message, fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.nat({ max: 300 })))
  .map(([at, tokens, times]) =>
    Buffer.concat([Buffer.from(`${at} `), ...Array.from({ length: times }, () => tokens), Buffer.from('\n')]),
  );
const body = fc
  .tuple(fc.array(line, { maxLength: 6 }), damage)
  .map(([lines, harm]) => damaged(Buffer.concat(lines), harm));

interface Outcome {
  readonly lines: readonly string[];
  readonly cut: number;
  readonly refused: string | undefined;
}

/** Returns the records of the body in chunks of these sizes, repeated. */
function read(bytes: Buffer, sizes: readonly number[]): Outcome {
  const parser = new LineParser(source, { seq: 0 }, { maxLineBytes: LIMIT_BYTES });
  const records: LogRecord[] = [];
  let refused: string | undefined;
  try {
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      // A separate copy, as from a socket.
      parser.push(Uint8Array.from(bytes.subarray(at, at + size)), records);
      at += size;
    }
    const last = parser.end();
    if (last !== undefined) records.push(last);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    refused = error.text;
  }
  const lines = records.map((record) => {
    expect(Number.isSafeInteger(record.at.seconds) && Number.isSafeInteger(record.at.nanos)).toBe(true);
    expect(record.message.length).toBeLessThanOrEqual(LIMIT_BYTES);
    return `${formatTimestamp(record.at)} ${Buffer.from(record.message).toString('latin1')} ${record.partial}`;
  });
  return { lines, cut: parser.cutLines, refused };
}

/** Reads a line in the simplest way; undefined if it is invalid. */
function plainly(text: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))(?: ([\s\S]*))?$/.exec(text);
  if (match === null) return undefined;
  const at = parseTimestamp(match[1] ?? '');
  // Dates that no calendar has are read by their digits, as long as each is in range.
  const time = at === undefined ? '' : `${formatTimestamp(at)} `;
  return time + (match[2] ?? '').slice(0, LIMIT_BYTES);
}

test(`any body is records or is refused, however it comes in chunks (${FUZZED})`, () => {
  let refusals = 0;
  let all = 0;
  fc.assert(
    fc.property(
      body,
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
      (bytes, sizes) => {
        const whole = read(bytes, [Math.max(1, bytes.length)]);
        const chunked = read(bytes, sizes);
        if (whole.refused === undefined) {
          expect(chunked).toEqual(whole);
          const texts = bytes.toString('latin1').split('\n');
          if (texts.at(-1) === '') texts.pop();
          expect(whole.lines).toHaveLength(texts.length);
          for (const [index, one] of whole.lines.entries())
            expect(one.slice(0, one.lastIndexOf(' ')).endsWith(plainly(texts[index] ?? '') ?? 'none')).toBe(
              true,
            );
        } else {
          refusals++;
          // The parser may refuse it before its line is complete, and then reports less; the earlier output is the
          // same.
          expect(chunked.refused).toBeDefined();
          expect(chunked.lines).toEqual(whole.lines);
        }
        all += whole.lines.length;
      },
    ),
    FUZZ,
  );
  expect(refusals).toBeGreaterThan(FUZZ.numRuns / 50);
  expect(all).toBeGreaterThan(FUZZ.numRuns / 4);
});
