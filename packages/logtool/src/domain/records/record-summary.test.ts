import { expect, test } from 'vitest';
import { TRACES } from '../../../../../test/support/records/traces.ts';
import { LEVELS } from '../filter.ts';
import { levelIndex } from '../level.ts';
import { levelOfRecord, summarize } from './record-summary.ts';

const encoder = new TextEncoder();

test.each(TRACES.map((trace) => [trace.name, trace] as const))('%s, folded', (_, trace) => {
  const { isJson, frames, cause, ownFrame } = summarize(trace.lines);
  const levels = trace.lines.map((line) => levelIndex(encoder.encode(line)));
  const textAt = (index: number | undefined) =>
    index === undefined ? undefined : trace.lines[index]?.trim();
  expect({
    frames,
    cause: textAt(cause),
    ownFrame: textAt(ownFrame),
    level: LEVELS[levelOfRecord(levels, isJson)],
  }).toEqual({ frames: trace.frames, cause: trace.cause, ownFrame: trace.ownFrame, level: trace.level });
});

test.each([
  [
    [
      '{',
      '  "level": "error",',
      '  "msg": "payload refused",',
      '  "n": {',
      '    "message": "inner"',
      '  }',
      '}',
    ],
    [2],
  ],
  [
    ['{', '\t"a": 1,', '\t"b": [', '\t\t1', '\t],', '\t"c": 2,', '\t"d": 3', '}'],
    [1, 2, 5],
  ],
  [['loaded: [', '  1,', '  2', ']'], []],
  [['{', '}'], []],
])('JSON %j shows its message or its first members', (lines, members) => {
  expect(summarize(lines).members).toEqual(members);
});
