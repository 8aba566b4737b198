import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { foldedOf, recordsOf } from '../../../../../test/support/records/grouping.ts';
import { MAX_MESSAGE_DISTANCE_MS } from './open-record.ts';

/*
 * What programs wrote whose exceptions have messages of several lines, while other threads, streams or processes wrote
 * too: test/recorded/processes. Lines of messages begin with `M`, the other ones with `F`.
 */

const JAVA = ['java-one-stream', 'java-two-streams', 'java-two-processes'] as const;
const PYTHON = ['python-threads', 'python-alone'] as const;
const ALL = [...JAVA, ...PYTHON];

/** A recorded line. */
interface Line {
  readonly ms: number;
  readonly text: string;
}

function read(name: (typeof ALL)[number] | 'postgres'): readonly Line[] {
  const file = new URL(`../../../../../test/recorded/processes/${name}.txt`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((row) => {
      const [, nanos, text] = /^(\d+) std(?:out|err) (.*)$/.exec(row)!;
      return { ms: Number(nanos) / 1e6, text: text! };
    });
}

const isFurther = ({ text }: Line) => text.startsWith('M ');
const isOther = ({ text }: Line) => text.startsWith('F ');
const isFrame = ({ text }: Line) => /^\t(?:at|\.\.\.) /.test(text);

/** Returns each two consecutive lines. */
function pairs(lines: readonly Line[]): readonly (readonly [Line, Line])[] {
  return lines.slice(1).map((line, index) => [lines[index]!, line] as const);
}

/** How many other lines come between the message of an exception and its frames. */
function tornOf(lines: readonly Line[]): number {
  return pairs(lines).filter(([a, b]) => isFurther(a) && isOther(b)).length;
}

test.each(ALL)('no other line comes into a message, and its lines are close in time: %s', (name) => {
  const within = pairs(read(name)).filter(([, line]) => isFurther(line));
  expect(within.length).toBeGreaterThan(30);
  expect(within.filter(([before]) => isOther(before))).toEqual([]);
  expect(Math.max(...within.map(([a, b]) => b.ms - a.ms))).toBeLessThan(MAX_MESSAGE_DISTANCE_MS / 10);
});

test('a Java program writes its exceptions whole to one stream; other streams and processes come between', () => {
  expect(tornOf(read('java-one-stream'))).toBe(0);
  expect(tornOf(read('java-two-streams'))).toBeGreaterThan(0);
  expect(tornOf(read('java-two-processes'))).toBeGreaterThan(0);
});

test('each exception that a Java program wrote to one stream is one record with its message', () => {
  const lines = read('java-one-stream');
  const records = recordsOf(lines);
  const further = lines.filter(isFurther).length;
  expect(records.filter(([head]) => isFurther(lines[head!]!))).toEqual([]);
  const whole = records.filter((record) => record.some((index) => isFurther(lines[index]!)));
  expect(whole.flat().filter((index) => isFurther(lines[index]!))).toHaveLength(further);
  expect(whole.every((record) => isFrame(lines[record.at(-1)!]!))).toBe(true);
  expect(whole.flat().filter((index) => isOther(lines[index]!))).toEqual([]);
});

test.each(ALL)('no fold hides a line of another part of the program: %s', (name) => {
  const lines = read(name);
  for (const record of recordsOf(lines))
    expect(foldedOf(record, lines).filter((index) => isOther(lines[index]!))).toEqual([]);
});

// So neither the place nor the time of a line proves that it is of the last message of a Python trace.
test('after an exception of Python, other lines come as fast as those of its message', () => {
  const after = (test: (line: Line) => boolean) =>
    pairs(read('python-alone'))
      .filter(([before, line]) => test(line) && /^(?:RuntimeError|M )/.test(before.text))
      .map(([before, line]) => line.ms - before.ms);
  expect(Math.min(...after(isOther))).toBeLessThan(Math.max(...after(isFurther)));
});

test.each(PYTHON)('no other line is of a record of Python: %s', (name) => {
  const lines = read(name);
  const joined = recordsOf(lines).flatMap((record) => record.slice(1));
  expect(joined.filter((index) => isOther(lines[index]!))).toEqual([]);
});

test('each error that one of four connections of PostgreSQL reports is one record, with its fields', () => {
  const lines = read('postgres');
  const severity = ({ text }: Line) => /^\S+ \S+ UTC \[\d+\] ([A-Z]+): {2}/.exec(text)?.[1];
  const process = ({ text }: Line) => /^\S+ \S+ UTC (\[\d+\])/.exec(text)?.[1];
  const records = recordsOf(lines).map((record) => record.map((index) => lines[index]!));
  expect(new Set(records.map(([head]) => severity(head!)))).toEqual(new Set(['ERROR', 'WARNING']));
  expect(records).toHaveLength(lines.filter((line) => /ERROR|WARNING/.test(severity(line) ?? '')).length);
  for (const record of records)
    expect(new Set(record.map(process).filter((one) => one !== undefined)).size).toBe(1);
  expect(new Set(records.map(([head]) => process(head!))).size).toBeGreaterThan(3);
});
