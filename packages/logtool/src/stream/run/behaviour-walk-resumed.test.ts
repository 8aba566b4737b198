import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../domain/container.ts';
import { type LogRecord, makeRun } from '../../domain/record.ts';
import { resumedAfter } from './position.ts';
import { Walk } from './walk.ts';

const run = makeRun({ podUid: 'uid', container: 'main' } as ContainerTarget, 'containerd://1');
const line = (seconds: number): LogRecord => ({
  run,
  at: { seconds, nanos: 0 },
  seq: 0,
  message: Buffer.from('line'),
  partial: false,
  late: false,
});

/** Returns a position whose run is read first, and its reports. */
function positionAt(seconds: number, isOf: 'first-run' | 'first-or-second-run' = 'first-run') {
  const reported: string[] = [];
  const walk = new Walk(resumedAfter({ seconds, nanos: 0 }, isOf));
  const beginRun = () => {
    if (walk.beginRun() !== undefined) reported.push('lost');
  };
  const admit = (...seconds: number[]) => {
    walk.beginResume();
    walk.admit(seconds.map(line), () => reported.push('gap'));
  };
  return { walk, beginRun, admit, reported };
}

test('an answer that begins after the known line is a gap, reported once', () => {
  const { beginRun, admit, reported } = positionAt(100);
  admit(140, 141);
  beginRun();
  expect(reported).toEqual(['gap']);
});

test('an answer that was given back is none: if its run is over without another one, reports that', () => {
  const { walk, beginRun, admit, reported } = positionAt(100);
  const before = walk.position;
  admit(140, 141);
  // Its reports are dropped with it.
  expect(reported.splice(0)).toEqual(['gap']);
  walk.restore(before);
  beginRun();
  expect(reported).toEqual(['lost']);
});

test('a run whose known line came again is not lost', () => {
  const { beginRun, admit, reported } = positionAt(100);
  admit(100, 141);
  beginRun();
  expect(reported).toEqual([]);
});

test('a known line of either of two runs is lost if the first has only older lines and the second none', () => {
  const { beginRun, admit, reported } = positionAt(100, 'first-or-second-run');
  admit(98, 99);
  beginRun();
  expect(reported).toEqual([]);
  beginRun();
  expect(reported).toEqual(['lost']);
});
