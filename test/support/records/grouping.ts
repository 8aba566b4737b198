import { levelIndex } from '../../../packages/logtool/src/domain/level.ts';
import { type Shape, shapeOf } from '../../../packages/logtool/src/domain/records/line-shape.ts';
import {
  type OpenRecord,
  spanOf,
  takeLine,
} from '../../../packages/logtool/src/domain/records/open-record.ts';
import { summarize } from '../../../packages/logtool/src/domain/records/record-summary.ts';
import { NORMAL_LINES, TRACES } from './traces.ts';

const encoder = new TextEncoder();

/**
 * The shapes of the lines that cases use: computing them would take most of the time of a case, and they depend on
 * nothing else.
 */
const SHAPES = new Map(
  [...TRACES.flatMap(({ lines }) => lines), ...NORMAL_LINES].map((text) => [text, readShape(text)]),
);

function readShape(text: string): Shape {
  return shapeOf(text, levelIndex(encoder.encode(text)));
}

/** Returns the shape of a line with its own level. */
export function shapeOfText(text: string): Shape {
  return SHAPES.get(text) ?? readShape(text);
}

export interface TimedLine {
  readonly text: string;
  readonly ms: number;
}

/** Returns the records of one container, as indexes of its lines. */
export function recordsOf(lines: readonly TimedLine[]): number[][] {
  const heads: number[] = [];
  let open: OpenRecord | undefined;
  for (const [index, { text, ms }] of lines.entries()) {
    const at = { seconds: Math.floor(ms / 1000), nanos: Math.round((ms % 1000) * 1e6) };
    open = takeLine(open, { shape: shapeOfText(text), bytes: text.length, ...at });
    const head = index - spanOf(open) + 1;
    // A waiting line is a separate record until a later one joins.
    if (open.waiting > 0) heads.push(index);
    else while (heads.length > 0 && heads.at(-1)! > head) heads.pop();
    if (heads.at(-1) !== head && open.waiting === 0) heads.push(head);
  }
  return heads.map((head, at) =>
    Array.from({ length: (heads[at + 1] ?? lines.length) - head }, (_, offset) => head + offset),
  );
}

/** Returns which lines of a record its fold does not show. */
export function foldedOf(record: readonly number[], lines: readonly TimedLine[]): readonly number[] {
  if (record.length === 1) return [];
  const { message, cause, ownFrame, members } = summarize(record.map((index) => lines[index]!.text));
  const shown = new Set([0, ...message, cause, ownFrame, ...members]);
  return record.filter((_, index) => !shown.has(index));
}
