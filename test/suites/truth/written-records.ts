import { type Timestamp, timestampFromMs, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { COUNTED_LEVELS } from '@logtool/logtool/src/domain/coverage/scan.ts';
import type { Level } from '@logtool/logtool/src/domain/filter.ts';
import { levelIndex } from '@logtool/logtool/src/domain/level.ts';
import type { Entry } from '../../support/engine/memory-log.ts';
import { Chance } from '../../support/engine/random-workload.ts';

/* Records as containers write them: of one line, and of several. */

/** When the logs start. */
export const START_MS = Date.UTC(2026, 10, 21, 8);

/** The log of a container. */
export interface WrittenLog {
  readonly lines: number;
  /** Lines come in bursts: seed for the time between consecutive lines. */
  readonly seed: number;
  readonly startMs: number;
}

/** A record as written: the truth for everything that a page reads. */
export interface WrittenRecord {
  /** Number of its pod. */
  readonly pod: number;
  /** The time of its first line. */
  readonly at: Timestamp;
  /** Its position among all written records. */
  readonly number: number;
  readonly level: Level | 'none';
  /** Its first line, unique among the records. */
  readonly text: string;
  /** All of its lines, usually one. */
  readonly lines: readonly { readonly at: Timestamp; readonly text: string }[];
}

const TOKENS = ['paid', 'cart', 'timeout'] as const;
export const LEVEL_TERM = '@level:error ';
export const SEARCHES = ['paid', 'timeout', 'nowhere', '-cart', `${LEVEL_TERM}timeout`] as const;

export interface Every {
  readonly errorEvery: number;
  readonly warnEvery: number;
  readonly traceEvery: number;
  readonly hasJson: boolean;
}

export function recordOf(pod: number, at: Timestamp, number: number, every: Every): WrittenRecord {
  const level =
    number % every.errorEvery === 0
      ? 'error'
      : number % every.warnEvery === 0
        ? 'warn'
        : number % 5 === 0
          ? 'none'
          : 'info';
  const head = level === 'none' ? '' : `${level.toUpperCase()} `;
  const text = `${head}${TOKENS[number % TOKENS.length]} ${number}`;
  if (number % every.traceEvery === 0) return traceOf({ pod, at, number, text }, every.hasJson);
  return { pod, at, number, level, text, lines: [{ at, text }] };
}

/** Lines that programs write below a line, by its number; each is unique to its record. */
const TRACES: readonly ((number: number, token: string) => readonly string[])[] = [
  (number, token) => [
    `java.lang.IllegalStateException: boom ${number}`,
    `\tat com.shop.Cart${number}.add(Cart.java:12)`,
    `Caused by: java.io.IOException: ${token} ${number}`,
    `\t... ${number} more`,
  ],
  (number, token) => [
    `Traceback (most recent call last): ${number}`,
    `  File "/app/cart${number}.py", line 3, in add`,
    `    raise ValueError(${number})`,
    `ValueError: ${token} ${number}`,
  ],
  (number, token) => [
    `goroutine ${number} [running]:`,
    `main.${token}${number}(0x1)`,
    `\t/app/main${number}.go:17 +0x1d`,
  ],
  (number, token) => [`  "level": "warn", "number": ${number},`, `  "msg": "${token} ${number}"`, '}'],
];

/** Returns a record of several lines. Those of a Java trace are milliseconds apart; others have one time. */
function traceOf(
  { pod, at, number, text }: Pick<WrittenRecord, 'pod' | 'at' | 'number' | 'text'>,
  hasJson: boolean,
): WrittenRecord {
  const token = TOKENS[(number + 1) % TOKENS.length]!;
  // A single brace is identical in each record.
  const kind = Math.floor(number / 2) % (hasJson ? TRACES.length : TRACES.length - 1);
  const isJson = kind === TRACES.length - 1;
  const isGo = kind === TRACES.length - 2;
  const head = isJson
    ? `order ${number} {`
    : isGo
      ? `panic: boom ${number}`
      : text.replace(/^(?:INFO |WARN )?(?=[a-z])/, 'ERROR ');
  const below = TRACES[kind]!(number, token);
  const lines = [head, ...below].map((line, index) => ({
    at: kind === 0 ? later(at, index) : at,
    text: line,
  }));
  return { pod, at, number, level: isJson ? 'warn' : isGo ? PANIC_LEVEL : 'error', text: head, lines };
}

/** The level of a line that starts with `panic: `. */
const PANIC_LEVEL = levelOf('panic: boom 1') === 'none' ? 'error' : levelOf('panic: boom 1');

function levelOf(text: string): Level | 'none' {
  return COUNTED_LEVELS[levelIndex(Buffer.from(text))] ?? 'none';
}

function later({ seconds, nanos }: Timestamp, ms: number): Timestamp {
  const sum = nanos + ms * 1e6;
  return { seconds: seconds + Math.floor(sum / 1e9), nanos: sum % 1e9 };
}

/** Returns each line as a separate record. */
export function linesOf(record: WrittenRecord): readonly WrittenRecord[] {
  return record.lines.map((line) => ({ ...record, ...line, level: levelOf(line.text), lines: [line] }));
}

/**
 * Returns the part of a record inside a range. A trace without its head is an error; a single line has its
 * own level.
 */
export function insideOf(
  record: WrittenRecord,
  isInside: (at: Timestamp) => boolean,
): readonly WrittenRecord[] {
  const lines = record.lines.filter(({ at }) => isInside(at));
  const [first] = lines;
  if (first === undefined || lines.length === record.lines.length) return first === undefined ? [] : [record];
  const level = first === record.lines[0] ? record.level : lines.length === 1 ? levelOf(first.text) : 'error';
  return [{ ...record, ...first, level, lines }];
}

export function entriesOf({ lines }: WrittenRecord): readonly Entry[] {
  return lines.map(({ at, text }) => ({ at, bytes: Buffer.from(text), partial: false }));
}

export function writtenBy(pod: number, shape: WrittenLog & Every, nextNumber: () => number): WrittenRecord[] {
  let ms = START_MS + shape.startMs;
  const chance = new Chance(shape.seed);
  return Array.from({ length: shape.lines }, () => {
    ms += stepMs(chance);
    const record = recordOf(pod, timestampFromMs(ms), nextNumber(), shape);
    // A container writes one record after the other.
    ms = Math.max(ms, timestampToMs(record.lines.at(-1)!.at));
    return record;
  });
}

/** Returns the time between lines: bursts at one time, seconds, and pauses. */
function stepMs(chance: Chance): number {
  const kind = chance.next();
  if (kind < 0.2) return 0;
  return kind < 0.8 ? chance.int(1, 900) : chance.int(1_000, 9_000);
}
