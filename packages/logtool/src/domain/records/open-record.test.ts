import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FUZZ, FUZZED } from '../../../../../test/support/fuzz/seed.ts';
import { foldedOf, recordsOf, shapeOfText } from '../../../../../test/support/records/grouping.ts';
import { NORMAL_LINES, TEXTS, TRACES } from '../../../../../test/support/records/traces.ts';
import { LEVELS } from '../filter.ts';
import { shapeOf } from './line-shape.ts';
import {
  isOpen,
  MAX_LINE_DISTANCE_MS,
  MAX_MESSAGE_DISTANCE_MS,
  MAX_RECORD_BYTES,
  MAX_RECORD_LINES,
  type OpenRecord,
  spanOf,
  takeLine,
} from './open-record.ts';

function grouped(lines: readonly string[], ms = 0): string[][] {
  const records = recordsOf(lines.map((text) => ({ text, ms })));
  return records.map((record) => record.map((index) => lines[index]!));
}

test.each(TRACES.map(({ name, lines }) => [name, lines] as const))('%s is one record', (_, lines) => {
  expect(grouped(lines)).toEqual([lines]);
  const around = ['GET /health 200', ...lines, '2026-11-21T10:00:01Z INFO ready'];
  expect(grouped(around)).toEqual([around.slice(0, 1), lines, around.slice(-1)]);
});

test.each(TRACES.map(({ name, lines }) => [name, lines] as const))('%s twice is two records', (_, lines) => {
  const again = grouped([...lines, '2026-11-21T10:00:01Z INFO retry', ...lines]);
  expect(again).toEqual([lines, ['2026-11-21T10:00:01Z INFO retry'], lines]);
});

test.each(NORMAL_LINES)('%j stands by itself', (line) => {
  expect(grouped([line, line, line])).toEqual([[line], [line], [line]]);
});

test('lines that are further apart than the limit are no record', () => {
  const lines = ['java.lang.Error: x', '\tat a.b.C.d(C.java:1)', '\tat a.b.C.e(C.java:2)'];
  const at = (gap: number) => lines.map((text, index) => ({ text, ms: index === 2 ? gap : 0 }));
  expect(recordsOf(at(MAX_LINE_DISTANCE_MS))).toEqual([[0, 1, 2]]);
  expect(recordsOf(at(MAX_LINE_DISTANCE_MS + 1))).toEqual([[0, 1], [2]]);
});

const MESSAGE = ['java.lang.Error: x', 'and more', '\tat a.b.C.d(C.java:1)'];

test('a further line of a message that comes late stands by itself', () => {
  const at = (gap: number) => MESSAGE.map((text, index) => ({ text, ms: index === 0 ? 0 : gap }));
  expect(recordsOf(at(MAX_MESSAGE_DISTANCE_MS))).toEqual([[0, 1, 2]]);
  expect(recordsOf(at(MAX_MESSAGE_DISTANCE_MS + 1))).toEqual([[0], [1], [2]]);
});

test.each([
  ['without a frame below it', ['java.lang.Error: x', 'and more', 'more still', 'GET /health 200']],
  ['with a level', ['java.lang.Error: x', 'INFO ready', '\tat a.b.C.d(C.java:1)']],
  ['with a time', ['java.lang.Error: x', 'at 10:00:00 on Monday', '\tat a.b.C.d(C.java:1)']],
  ['of a request', ['java.lang.Error: x', 'GET /health 200', '\tat a.b.C.d(C.java:1)']],
  ['of pairs', ['java.lang.Error: x', 'user=7 path=/', '\tat a.b.C.d(C.java:1)']],
  ['after the last message of Python', ['Traceback (most recent call last):', 'KeyError: 7', 'ready']],
])('a line %s is not of a message', (_, lines) => {
  const last =
    lines.length === 3 && lines[0]!.startsWith('Traceback') ? [lines.slice(0, 2), ['ready']] : undefined;
  expect(grouped(lines)).toEqual(last ?? lines.map((line) => [line]));
});

test('more lines than can wait are no message', () => {
  const lines = Array.from({ length: 17 }, (_, index) => `line of text no. ${index}`);
  const trace = ['java.lang.Error: x', ...lines, '\tat a.b.C.d(C.java:1)'];
  expect(grouped(trace)).toEqual(trace.map((line) => [line]));
  expect(grouped(trace.toSpliced(1, 1))).toHaveLength(19 - 1);
  expect(grouped(trace.toSpliced(1, 2))).toEqual([trace.toSpliced(1, 2)]);
});

test('two exceptions with as many frames as a Java VM writes are one record', () => {
  const frames = Array.from({ length: 1024 }, (_, index) => `\tat a.B.c(B.java:${index})`);
  const trace = [
    'java.lang.RuntimeException: deep',
    ...frames,
    'Caused by: java.lang.StackOverflowError',
    ...frames,
  ];
  expect(grouped(trace)).toEqual([trace]);
});

test('a trace without an end is cut into records of the largest size', () => {
  const frames = Array.from({ length: MAX_RECORD_LINES * 2 }, (_, index) => `\tat a.B.c(B.java:${index})`);
  const sizes = grouped(['java.lang.StackOverflowError', ...frames]).map((record) => record.length);
  expect(sizes).toEqual([MAX_RECORD_LINES, MAX_RECORD_LINES, 1]);
  const long = `\tat a.B.c(${'x'.repeat(MAX_RECORD_BYTES / 2)})`;
  expect(grouped(['java.lang.Error', long, long]).map((record) => record.length)).toEqual([2, 1]);
});

test('nothing is expected after most lines', () => {
  const shapes = ['GET / 200', 'ERROR x', '{', '}', 'panic: x'].map((text) => shapeOf(text, LEVELS.length));
  const opened = shapes.map((shape) =>
    isOpen(takeLine(undefined, { shape, bytes: 1, seconds: 0, nanos: 0 })),
  );
  expect(opened).toEqual([false, false, true, false, true]);
});

test('an empty line after a trace is not part of it, unless the trace continues', () => {
  const trace = ['Error: x', '    at f (/app/a.js:1:2)'];
  expect(grouped([...trace, '', 'listening'])).toEqual([trace, [''], ['listening']]);
  expect(grouped([...trace, '', 'Node.js v20.1.0'])).toEqual([[...trace, '', 'Node.js v20.1.0']]);
});

test('a frame is not of a line that reports no error', () => {
  expect(grouped(['10:00:00 INFO Error pages are served', '\tat a.B.c(B.java:1)'])).toHaveLength(2);
  expect(grouped(['GET / 200', '\tat a.B.c(B.java:1)', '\tat a.B.d(B.java:2)'])).toEqual([
    ['GET / 200'],
    ['\tat a.B.c(B.java:1)', '\tat a.B.d(B.java:2)'],
  ]);
});

test.each([
  '10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET /cart HTTP/1.1" 502 0',
  '{"remote":"10.0.0.1","method":"GET","path":"/cart","status":502}',
  '{"status_code":"503","request_method":"POST"}',
])('a frame is not of a request that failed: %s', (line) => {
  expect(grouped([line, '\tat a.B.c(B.java:1)'])).toHaveLength(2);
});

test('a frame is of an error that names a failed request', () => {
  const lines = ['{"level":"error","msg":"no answer","method":"GET","status":502}', '\tat a.B.c(B.java:1)'];
  expect(grouped(lines)).toEqual([lines]);
});

const piece = fc.oneof(
  fc.constantFrom(...TRACES.map(({ lines }) => ({ lines, isTrace: true }))),
  fc.constantFrom(...NORMAL_LINES).map((line) => ({ lines: [line], isTrace: false })),
);

test(`each trace is one record and each other line its own, whatever comes before and after (${FUZZED})`, () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      // A line that ends a trace is between traces.
      const all = pieces.flatMap((one) => [one, { lines: ['GET /health 200'], isTrace: false }]);
      expect(grouped(all.flatMap(({ lines }) => lines))).toEqual(all.map(({ lines }) => lines));
    }),
    FUZZ,
  );
});

/*
 * No line is hidden: what the fold of a record leaves out is of the record by its own text. A line of another part of the
 * program that comes between an exception and its frames, and could as well be of the message, is shown in the fold. One
 * with a format of its own is never in it.
 */
test(`a trace that other lines cut hides none of them (${FUZZED})`, () => {
  const cuts = fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...NORMAL_LINES)), { maxLength: 6 });
  fc.assert(
    fc.property(fc.constantFrom(...TRACES), cuts, ({ lines }, inserted) => {
      const mixed = lines.map((text) => ({ text, ms: 0, isNormal: false }));
      for (const [at, text] of inserted)
        mixed.splice(at % (mixed.length + 1), 0, { text, ms: 0, isNormal: true });
      const normal = (index: number) => mixed[index]!.isNormal;
      for (const record of recordsOf(mixed)) {
        expect(foldedOf(record, mixed).filter(normal)).toEqual([]);
        const joined = record.slice(1).filter(normal);
        expect(joined.filter((index) => !TEXTS.includes(mixed[index]!.text))).toEqual([]);
      }
    }),
    FUZZ,
  );
});

test(`containers that write at the same time do not mix (${FUZZED})`, () => {
  const write = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3));
  const logs = fc.record({ a: fc.array(piece), b: fc.array(piece), c: fc.array(piece) });
  fc.assert(
    fc.property(logs, fc.array(write, { maxLength: 60 }), (written, turns) => {
      const open = new Map<string, OpenRecord>();
      const spans = { a: [] as number[], b: [] as number[], c: [] as number[] };
      const rest = { a: lines(written.a), b: lines(written.b), c: lines(written.c) };
      for (const [name, count] of turns as readonly [keyof typeof rest, number][]) {
        for (const text of rest[name].splice(0, count)) {
          const shape = shapeOfText(text);
          const next = takeLine(open.get(name), { shape, bytes: text.length, seconds: 0, nanos: 0 });
          open.set(name, next);
          spans[name].push(spanOf(next));
        }
      }
      for (const name of ['a', 'b', 'c'] as const)
        expect(spans[name]).toEqual(spansOf(lines(written[name]).slice(0, spans[name].length)));
    }),
    FUZZ,
  );
});

function lines(pieces: readonly { readonly lines: readonly string[] }[]): string[] {
  return pieces.flatMap((one) => one.lines);
}

function spansOf(texts: readonly string[]): number[] {
  let open: OpenRecord | undefined;
  return texts.map((text) => {
    const shape = shapeOfText(text);
    open = takeLine(open, { shape, bytes: text.length, seconds: 0, nanos: 0 });
    return spanOf(open);
  });
}

test(`any text has a shape, and its record keeps its limits (${FUZZED})`, () => {
  const token = fc.constantFrom(
    ...' \t(){}[]:;.,"\'`^~|+-/\\\n0aA$'.split(''),
    'at ',
    'Error',
    'Caused by: ',
    'goroutine 1 ',
    "thread '",
    ' panicked at ',
    '...',
    'File "',
    ':in `',
  );
  const text = fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join('').repeat(9));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
      expect(recordsOf(texts.map((one) => ({ text: one, ms: 0 }))).flat()).toEqual(texts.map((_, at) => at));
    }),
    FUZZ,
  );
});

test.each([
  [
    'a line after an empty line that no frame follows',
    ['ERROR charge failed', '', 'java.io.IOException: x', 'ready'],
  ],
  ['a second error after an empty line', ['ERROR charge failed', '', 'Error: boom', 'ready']],
  ['a text after an empty line', ['Error: x', '', '    indented', 'ready']],
])('%s stands by itself', (_, lines) => {
  expect(grouped(lines)).toEqual(lines.map((line) => [line]));
});

test('an error that waits after an empty line is a head if the next line shows it', () => {
  const trace = ['java.io.IOException: y', '\tat a.B.c(B.java:1)'];
  expect(grouped(['ERROR a failed', '', 'java.io.IOException: x', ...trace])).toEqual([
    ['ERROR a failed'],
    [''],
    ['java.io.IOException: x'],
    trace,
  ]);
});

test('the empty line that Spring Boot writes after an exception is not of it', () => {
  const trace = ['2026-11-27T05:52:45Z ERROR 1 --- shop : failed', '', 'a.B: x', '\tat a.B.c(B.java:1)'];
  const after = '2026-11-27T05:52:45Z  INFO 1 --- shop : after';
  expect(grouped([...trace, '', after])).toEqual([trace, [''], [after]]);
});
