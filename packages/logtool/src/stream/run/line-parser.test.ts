import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import { makeRun } from '../../domain/record.ts';
import { BodyError, LineParser, type LineParserOptions } from './line-parser.ts';

const source = makeRun({ podUid: 'uid', container: 'main' } as ContainerTarget, 'containerd://1');

function parse(chunks: readonly (string | Uint8Array)[], options: LineParserOptions = {}) {
  const parser = new LineParser(source, { seq: 0 }, options);
  const records: LogRecord[] = [];
  for (const chunk of chunks) parser.push(Buffer.from(chunk as string), records);
  const rest = parser.end();
  return {
    lines: records.map(text),
    rest: rest === undefined ? undefined : text(rest),
    cut: parser.cutLines,
    ...(parser.fragment === undefined ? {} : { fragment: parser.fragment }),
  };
}

const text = ({ at, message }: LogRecord) =>
  `${formatTimestamp(at)} ${Buffer.from(message).toString('latin1')}`;

const BODY =
  '2026-11-21T10:00:00.123456789Z one\n' +
  '2026-11-21T07:42:42.850596308+05:30 two\n' +
  '2026-11-21T10:00:00Z \n' +
  '2026-12-31T23:59:59.5-08:00 2026-11-21T10:00:00.000000000Z inside\n';

const PARSED = [
  '2026-11-21T10:00:00.123456789Z one',
  '2026-11-21T02:12:42.850596308Z two',
  '2026-11-21T10:00:00.000000000Z ',
  '2027-01-01T07:59:59.500000000Z 2026-11-21T10:00:00.000000000Z inside',
];

test('timestamps of any offset and number of digits are read, and only at line starts', () => {
  expect(parse([BODY])).toEqual({ lines: PARSED, rest: undefined, cut: 0 });
});

test('a time that was never set is of the year 1, not of 1901', () => {
  expect(parse(['0001-01-01T00:00:00Z never\n']).lines).toEqual(['0001-01-01T00:00:00.000000000Z never']);
});

test('chunk edges may be anywhere', () => {
  for (let size = 1; size < BODY.length; size++) {
    const chunks = Array.from({ length: Math.ceil(BODY.length / size) }, (_, index) =>
      BODY.slice(index * size, index * size + size),
    );
    expect(parse(chunks).lines).toEqual(PARSED);
  }
});

test('bytes that are no text pass unchanged', () => {
  const message = Buffer.from([0xff, 0x00, 0x1b, 0x0d, 0xe2, 0x82]);
  const records: LogRecord[] = [];
  new LineParser(source, { seq: 0 }).push(
    Buffer.concat([Buffer.from('2026-11-21T10:00:00.1Z '), message, Buffer.from('\n')]),
    records,
  );
  expect(Buffer.from(records[0]!.message)).toEqual(message);
});

test('the line without a newline at the end is given apart', () => {
  const { lines, rest } = parse(['2026-11-21T10:00:00.1Z a\n2026-11-21T10:00:00.2Z b']);
  expect(lines).toHaveLength(1);
  expect(rest).toBe('2026-11-21T10:00:00.200000000Z b');
});

test.each([
  ['unable to retrieve container logs for containerd://0123456789012345678901234567890123456789'],
  ['failed to try resolving symlinks in path "/var/log/pods/x": no such file or directory\n'],
  ['2026-11-21T10:00:00.1Z fine\nrpc error: code = Unknown'],
  ['2026-13-21T10:00:00.1Z not a month\n'],
  ['2026-11-21T10:00:00.1 no zone\n'],
  ['\n'],
])('a body that is no log is an error, never a record: %j', (body) => {
  expect(() => parse([body])).toThrow(BodyError);
});

const ONE = '2026-11-21T10:00:00.1Z one\n';
const [WITHOUT_START, READ_ONE] = [{ mayLackStarts: true }, '2026-11-21T10:00:00.100000000Z one'];

test.each([
  ['first', `the rest\n${ONE}`, [READ_ONE], undefined],
  ['empty', `\n${ONE}`, [READ_ONE], undefined],
  ['between others', `${ONE}the rest\n${ONE}`, [READ_ONE, READ_ONE], undefined],
  ['last', `${ONE}the rest\n`, [READ_ONE], { text: 'the rest', isOpen: false }],
  ['all there is', `${'x'.repeat(2_000)}\n`, [], { text: 'x'.repeat(1_024), isOpen: false }],
  ['last, without its end', `${ONE}the rest`, [READ_ONE], { text: 'the rest', isOpen: true }],
])('where lines may lack their start, one is left out: %s', (_name, body, lines, fragment) => {
  for (let size = 1; size <= body.length; size += 1 + (size >> 3)) {
    const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
      body.slice(index * size, index * size + size),
    );
    const expected = { lines, rest: undefined, cut: 0 };
    expect(parse(chunks, WITHOUT_START)).toEqual(
      fragment === undefined ? expected : { ...expected, fragment },
    );
  }
});

test.each([
  ['first', `the rest\n${ONE}`, ['the rest']],
  ['first, without its end', 'the rest', ['the rest']],
  ['between others', `${ONE}the rest\n${ONE}`, []],
])('a line without its start is handed over where the body begins with it: %s', (_name, body, expected) => {
  for (const size of [body.length, 1, 3]) {
    const leftOut: string[] = [];
    const onFirstLeftOut = (line: Uint8Array) => leftOut.push(Buffer.from(line).toString());
    const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
      body.slice(index * size, index * size + size),
    );
    parse(chunks, { ...WITHOUT_START, onFirstLeftOut });
    expect(leftOut).toEqual(expected);
  }
});

test.each([
  ['<html>\n<body>\n', '<html>'],
  [`${ONE}rpc error\ncode = Unknown`, 'rpc error'],
])('two lines without a start are no log, also where one may lack it: %j', (body, text) => {
  expect(() => parse([body], WITHOUT_START)).toThrow(new BodyError(text));
});

test('a text without an end is refused before it fills the memory', () => {
  const parser = new LineParser(source, { seq: 0 });
  expect(() => parser.push(Buffer.alloc(64, 'x'), [])).toThrow(BodyError);
});

test('a line beyond the limit is cut and counted, wherever the chunks end', () => {
  const body = `2026-11-21T10:00:00.1Z ${'x'.repeat(5000)}\n2026-11-21T10:00:00.2Z next\n`;
  for (const size of [body.length, 700]) {
    const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
      body.slice(index * size, index * size + size),
    );
    const { lines, cut } = parse(chunks, { maxLineBytes: 1000 });
    expect(cut).toBe(1);
    expect(lines).toEqual([
      `2026-11-21T10:00:00.100000000Z ${'x'.repeat(1000)}`,
      '2026-11-21T10:00:00.200000000Z next',
    ]);
  }
});

test('reads a chunk this many lines at a time, and continues where it stopped', () => {
  for (let size = 1; size < BODY.length; size += 7) {
    const parser = new LineParser(source, { seq: 0 });
    const records: LogRecord[] = [];
    for (let start = 0; start < BODY.length; start += size) {
      const chunk = Buffer.from(BODY.slice(start, start + size));
      for (let at = 0; at < chunk.length; ) {
        const lines: LogRecord[] = [];
        at = parser.push(chunk, lines, at, 2);
        expect(lines.length).toBeLessThanOrEqual(2);
        records.push(...lines);
      }
    }
    expect(parser.end()).toBeUndefined();
    expect(records.map(text)).toEqual(PARSED);
    expect(records.map(({ seq }) => seq)).toEqual(PARSED.map((_, index) => index));
  }
});

test('a time with more than nine digits is none, wherever the chunks end', () => {
  const line = Buffer.from('2026-11-21T10:00:00.1234567891Z one\n');
  for (let at = 1; at < line.length; at++)
    expect(() => parse([line.subarray(0, at), line.subarray(at)])).toThrow(BodyError);
});
