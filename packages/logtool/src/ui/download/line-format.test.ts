import { expect, test } from 'vitest';
import { RECORD_FLAGS } from '../../contract/record-flags.ts';
import type { LogRecord } from '../../domain/record.ts';
import { ByteWriter } from '../../server/logs/byte-writer.ts';
import { FILE_FORMATS } from '../../server/logs/file-format.ts';
import type { ViewSource } from '../worker/protocol/protocol.ts';
import { FILE_KINDS, fileNameOf, LINE_FORMATS, type Line } from './line-format.ts';

const source = {
  namespace: 'shop',
  pod: 'web-1',
  container: 'app',
  node: 'node-1',
} as ViewSource;

function lineOf(text: string, level: Line['level'], flags: number): Line {
  return {
    kind: 'line',
    entry: 1,
    index: 0,
    seconds: 1_795_268_521,
    nanos: 118_000_000,
    source: 0,
    level,
    text,
    flags,
    isJson: text.startsWith('{'),
    hits: [],
    link: '',
  };
}

function recordOf(text: string, flags: number): LogRecord {
  return {
    at: { seconds: 1_795_268_521, nanos: 118_000_000 },
    message: new TextEncoder().encode(text),
    run: { target: { namespace: 'shop', pod: 'web-1', container: 'app', placement: { node: 'node-1' } } },
    stream: (flags & RECORD_FLAGS.stderr) !== 0 ? 'stderr' : undefined,
    late: (flags & RECORD_FLAGS.late) !== 0,
    partial: false,
  } as unknown as LogRecord;
}

const LINES: readonly (readonly [string, Line['level'], number])[] = [
  ['plain text, with "quotes"', undefined, 0],
  ['level=error msg="it broke"', 'error', RECORD_FLAGS.stderr],
  ['{"level":"warn","id":12345678901234567890}', 'warn', RECORD_FLAGS.late],
  ['=HYPERLINK("http://evil")', undefined, 0],
  ['\u001b[31mred\u001b[0m  indented\ttabs é😀', undefined, 0],
  ['', undefined, 0],
];

test.each(FILE_KINDS)('a %s file of the page says what the server writes', (kind) => {
  const writer = new ByteWriter();
  writer.text(FILE_FORMATS[kind].head);
  let own = LINE_FORMATS[kind].head;
  for (const [text, level, flags] of LINES) {
    FILE_FORMATS[kind].append(recordOf(text, flags), writer);
    own += LINE_FORMATS[kind].write(lineOf(text, level, flags), source);
  }
  expect(own).toBe(new TextDecoder().decode(writer.take()));
});

test('a file is named after its sources and the time, in signs that any system takes', () => {
  const nowMs = Date.parse('2026-11-21T13:42:01.5Z');
  expect(fileNameOf(['shop:deployments/web', 'shop:statefulsets/db'], nowMs, 'csv')).toBe(
    'shop-web-shop-db-2026-11-21T13-42-01Z.csv',
  );
  expect(fileNameOf(['../../etc/passwd\n"'], nowMs, 'log')).toMatch(/^[A-Za-z0-9][\w.-]*$/);
  expect(fileNameOf([], nowMs, 'log')).toMatch(/^logs-/);
});
