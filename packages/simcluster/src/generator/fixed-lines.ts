import { parseTimestamp, type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { ScenarioLine } from '../scenario/container-schema.ts';
import { durationMs } from '../scenario/duration.ts';
import type { Emission } from './program.ts';
import type { Random } from './random.ts';

type Line = Exclude<ScenarioLine, string>;
const DEFAULTS: Line = { stream: 'stdout', repeat: 1, newline: true, partial: false };

/**
 * Yields lines with exact bytes. A line without `after` is written together with the previous one, a few microseconds
 * later; one with `at` has exactly that timestamp, whatever the clock shows.
 */
export function* fixedLines(
  lines: readonly ScenarioLine[],
  startMs: number,
  random: Random,
): Generator<Emission, undefined> {
  let dueMs = startMs;
  let laterNs = 0;
  for (const line of lines.map(withDefaults)) {
    for (let n = 1; n <= line.repeat; n++) {
      if (line.after !== undefined) {
        dueMs += durationMs(line.after);
        laterNs = 0;
      }
      laterNs += random.int(1000, 20_000);
      const at = (line.at === undefined ? undefined : parseTimestamp(line.at)) ?? laterBy(dueMs, laterNs);
      const { stream, newline, partial } = line;
      yield { kind: 'emission', dueMs, at, stream, newline, partial, bytes: lineBytes(line, n) };
    }
  }
  return undefined;
}

/** Returns the time from the start to the last line. */
export function fixedLinesMs(lines: readonly ScenarioLine[]): number {
  return lines
    .map(withDefaults)
    .reduce((sum, line) => sum + (line.after === undefined ? 0 : durationMs(line.after) * line.repeat), 0);
}

function withDefaults(line: ScenarioLine): Line {
  return typeof line === 'string' ? { ...DEFAULTS, text: line } : line;
}

function lineBytes(line: Line, n: number): Uint8Array {
  if (line.base64 !== undefined) return Buffer.from(line.base64, 'base64');
  const text = (line.text ?? '').replaceAll('{n}', String(n));
  if (line.pad === undefined) return Buffer.from(text);
  if (line.fill === undefined) return Buffer.alloc(line.pad, text === '' ? 'x' : text);
  const start = Buffer.from(text);
  return Buffer.concat([start, Buffer.alloc(Math.max(0, line.pad - start.length), line.fill)]);
}

function laterBy(ms: number, nanos: number): Timestamp {
  const at = timestampFromMs(ms);
  const sum = at.nanos + nanos;
  return { seconds: at.seconds + Math.floor(sum / 1e9), nanos: sum % 1e9 };
}
