import { decodeUtf8 } from '@logtool/kube/src/values/sanitize.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../../test/support/fuzz/code-point.ts';
import { RECORD_FLAGS } from '../../contract/record-flags.ts';
import { WireRecord } from '../../contract/wire-record.ts';
import type { LogRecord, Run } from '../../domain/record.ts';
import { ByteWriter } from './byte-writer.ts';
import { writeRecord } from './frame-writer.ts';

function written(fields: Partial<LogRecord>, source = 0): unknown {
  const writer = new ByteWriter();
  const record: LogRecord = {
    run: {} as Run,
    at: { seconds: 1_795_255_200, nanos: 5 },
    seq: 0,
    message: new Uint8Array(),
    partial: false,
    late: false,
    ...fields,
  };
  writeRecord(writer, record, source);
  return JSON.parse(Buffer.from(writer.take()).toString('utf8'));
}

test('any text comes out of the JSON as it went in', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: codePoint, maxLength: 200 }),
      fc.nat(),
      fc.nat(999_999_999),
      (text, index, nanos) => {
        const message = Buffer.from(text);
        const record = written({ message, at: { seconds: 12, nanos } }, index);
        expect(record).toEqual([index, 12, nanos, message.toString(), 0]);
        expect(WireRecord.safeParse(record).success).toBe(true);
      },
    ),
  );
});

test('bytes that are not UTF-8 are flagged, and come as replacement characters', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (message) => {
      const [, , , text, flags] = written({ message }) as WireRecord;
      expect(text).toBe(decodeUtf8(message));
      const isWhole = Buffer.from(text).equals(Buffer.from(message));
      expect((flags & RECORD_FLAGS.lossy) === 0).toBe(isWhole);
    }),
    { examples: [[new Uint8Array([0x61, 0xff])], [new Uint8Array([0xef, 0xbb, 0xbf, 0x61])]] },
  );
});

test('streams, the last line without a newline and late lines are flags', () => {
  const flagsOf = (fields: Partial<LogRecord>) => (written(fields) as WireRecord)[4];
  expect(flagsOf({ stream: 'stdout' })).toBe(RECORD_FLAGS.stdout);
  expect(flagsOf({ stream: 'stderr', partial: true, late: true })).toBe(
    RECORD_FLAGS.stderr | RECORD_FLAGS.partial | RECORD_FLAGS.late,
  );
});

test('times before 1970 and long messages are written too', () => {
  expect(written({ at: { seconds: -62_135_596_800, nanos: 0 } })).toEqual([0, -62_135_596_800, 0, '', 0]);
  const long = '"'.repeat(100_000);
  expect((written({ message: Buffer.from(long) }) as WireRecord)[3]).toBe(long);
});
