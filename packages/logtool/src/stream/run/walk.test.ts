import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import { isSamePosition, maxOf, positionText, sinceAt, sinceOf } from './position.ts';
import { Walk } from './walk.ts';

const key = { podUid: 'p', container: 'c', containerId: 'id' };
const run = { key, keyText: 'p/c/id', target: {} as ContainerTarget };

function record(text: string, seconds: number, nanos = 500_000_000): LogRecord {
  return {
    run,
    at: { seconds, nanos },
    seq: 0,
    message: Buffer.from(text),
    partial: false,
    late: false,
  };
}

const texts = (records: readonly LogRecord[]) =>
  records.map(({ message }) => Buffer.from(message).toString());

/** Returns a walk that has delivered these records. */
function after(...records: readonly LogRecord[]): Walk {
  const walk = new Walk();
  walk.admit(records);
  return walk;
}

test('with nothing delivered there is no point to resume from, and everything is new', () => {
  const walk = new Walk();
  expect([sinceOf(walk.position), walk.max, walk.last, walk.hasLines]).toEqual([
    undefined,
    undefined,
    undefined,
    false,
  ]);
  walk.beginResume();
  expect(texts(walk.admit([record('one', 1)]))).toEqual(['one']);
});

test('a resume begins at the whole second of the greatest time, or one before near its start', () => {
  expect(sinceOf(after(record('a', 100, 200_000_000)).position)).toEqual({ seconds: 100, nanos: 0 });
  expect(sinceOf(after(record('a', 100, 199_999_999)).position)).toEqual({ seconds: 99, nanos: 0 });
});

test('a resume never begins in the future, which would withhold new lines', () => {
  const walk = after(record('future', 10_000));
  expect(sinceAt(walk.position, 5_000_000)).toEqual({ seconds: 4_940, nanos: 0 });
  expect(sinceAt(walk.position, 10_000_000)).toEqual({ seconds: 10_000, nanos: 0 });
});

test('drops delivered lines once more, as often as they were delivered', () => {
  const twice = record('again', 7);
  const walk = after(record('one', 6), twice, twice);
  walk.beginResume();
  expect(texts(walk.admit([twice, twice, twice, record('new', 8)]))).toEqual(['again', 'new']);
});

test('equal bytes at another time, and other bytes at an equal time, are other records', () => {
  const walk = after(record('one', 7));
  walk.beginResume();
  const others = [record('one', 7), record('one', 7, 500_000_001), record('two', 7)];
  expect(texts(walk.admit(others))).toEqual(['one', 'two']);
});

test('a line delivered seconds ago does not count for one of the second before the last', () => {
  const walk = after(record('tick', 1), record('tick', 5));
  walk.beginResume();
  // Out of order, and never given: it equals the first one except for its second.
  const lines = [record('tick', 5), record('tick', 4), record('tock', 5)];
  expect(texts(walk.admit(lines))).toEqual(['tick', 'tock']);
});

test('each resume drops again', () => {
  const walk = after(record('one', 7));
  for (const text of ['two', 'three']) {
    walk.beginResume();
    const known = ['one', ...(text === 'three' ? ['two'] : [])].map((one) => record(one, 7));
    expect(texts(walk.admit([...known, record(text, 7)]))).toEqual([text]);
  }
});

test('an answer that begins after what is known is a gap, reported with both its ends', () => {
  const walk = after(record('one', 7));
  const gaps: (readonly [Timestamp, Timestamp])[] = [];
  walk.beginResume();
  expect(walk.aligned).toBe(false);
  const fresh = walk.admit([record('much later', 90), record('next', 91)], (from, to) =>
    gaps.push([from, to]),
  );
  expect(texts(fresh)).toEqual(['much later', 'next']);
  expect(gaps).toEqual([
    [
      { seconds: 7, nanos: 500_000_000 },
      { seconds: 90, nanos: 500_000_000 },
    ],
  ]);
});

test('an answer that shows a known line is no gap, however far its next line is', () => {
  const walk = after(record('one', 7));
  walk.beginResume();
  const fresh = walk.admit([record('older', 7, 1), record('one', 7), record('later', 900)], () => {
    throw new Error('no gap');
  });
  expect(texts(fresh)).toEqual(['later']);
  expect(walk.aligned).toBe(true);
});

test('lines after a step back of the clock are remembered too', () => {
  const later = [record('back one', 40), record('back two', 41)];
  const walk = after(record('high', 100), ...later);
  expect(sinceOf(walk.position)).toEqual({ seconds: 41, nanos: 0 });
  expect([walk.max?.seconds, walk.last?.seconds]).toEqual([100, 41]);
  walk.beginResume();
  expect(texts(walk.admit([...later, record('back three', 42)]))).toEqual(['back three']);
});

test('a new run has no known line before it', () => {
  const walk = after(record('one', 7));
  walk.beginRun();
  expect(walk.hasLines).toBe(false);
  walk.beginResume();
  const fresh = walk.admit([record('first of the next run', 90)], () => {
    throw new Error('no gap');
  });
  expect(texts(fresh)).toEqual(['first of the next run']);
});

test('lines of an earlier run do not limit from when a new run is read: its clock may have been set back', () => {
  const walk = after(record('one', 7));
  walk.beginRun();
  expect(sinceOf(walk.position)).toBeUndefined();
  walk.beginResume();
  expect(texts(walk.admit([record('one', 7), record('before', 3)]))).toEqual(['before']);
  expect(sinceOf(walk.position)).toEqual({ seconds: 3, nanos: 0 });
});

test('a run whose known lines are gone from its log continues after them', () => {
  const walk = after(record('one', 7));
  walk.loseRun();
  expect(walk.hasLines).toBe(false);
  expect(sinceOf(walk.position)).toEqual({ seconds: 7, nanos: 0 });
  expect(sinceOf(new Walk(walk.position).position)).toEqual({ seconds: 7, nanos: 0 });
  walk.beginResume();
  const fresh = walk.admit([record('two', 90)], () => {
    throw new Error('no gap: it was reported');
  });
  expect(texts(fresh)).toEqual(['two']);
  walk.beginRun();
  expect(sinceOf(walk.position)).toBeUndefined();
});

test('a position stays the same while the walk continues, and can be restored', () => {
  const walk = after(record('one', 7));
  const before = walk.position;
  walk.admit([record('two', 8)]);
  expect(maxOf(before)?.seconds).toBe(7);
  walk.restore(before);
  expect(walk.last?.seconds).toBe(7);
  walk.beginResume();
  expect(texts(walk.admit([record('one', 7), record('two', 8)]))).toEqual(['two']);
});

test('a later line before the first line of the walk is no gap if the first one shows after it', () => {
  const walk = after(record('first', 7, 500_000_000));
  walk.beginResume();
  const fresh = walk.admit(
    [record('in front', 7, 600_000_000), record('first', 7, 500_000_000), record('next', 7, 600_000_001)],
    () => {
      throw new Error('no gap');
    },
  );
  expect(texts(fresh)).toEqual(['next']);
});

test('lines that may precede a known one are a gap if the log ends without one', () => {
  const walk = after(record('first', 7, 500_000_000));
  const gaps: number[] = [];
  walk.beginResume();
  expect(texts(walk.admit([record('soon', 7, 600_000_000)]))).toEqual([]);
  expect(walk.isUnsettled).toBe(true);
  expect(texts(walk.settle((_, to) => gaps.push(to.nanos)))).toEqual(['soon']);
  expect([gaps, walk.isUnsettled]).toEqual([[600_000_000], false]);
});

const LONG = 'long '.repeat(4_000);

test.each(['the end', ''])(
  'the end of a long line that began the walk is known in the whole line: %j',
  (end) => {
    const noGap = () => {
      throw new Error('no gap');
    };
    const walk = after(record(end, 7, 500_000_001));
    const answer = [record('in front', 7), record(`${LONG}${end}`, 7), record('close behind', 7)];
    walk.beginResume();
    expect(texts(walk.admit(answer, noGap))).toEqual([]);
    expect(texts(walk.settle(noGap))).toEqual(['close behind']);
    const other = after(record(end, 7, 500_000_001));
    other.beginResume();
    expect(texts(other.admit([...answer, record('much later', 90)], noGap))).toEqual([
      'close behind',
      'much later',
    ]);
  },
);

test('a line of its own that another one ends with is itself, where it shows', () => {
  const walk = after(record('}', 7, 500_000_001));
  walk.beginResume();
  const answer = [record(`${LONG}}`, 7), record('between', 7), record('}', 7, 500_000_001)];
  expect(texts(walk.admit([...answer, record('next', 8)]))).toEqual(['next']);
});

test('a position is printed and compared by what was delivered', () => {
  const walk = after(record('one', 7), record('two', 8));
  const { position } = walk;
  expect(positionText(new Walk().position)).toBe('start');
  expect(positionText(position)).toBe(
    'up to 1970-01-01T00:00:08.500000000Z, last 1970-01-01T00:00:08.500000000Z, lines 1+1; ' +
      'run from 1970-01-01T00:00:07.500000000Z',
  );
  expect(isSamePosition(position, after(record('one', 7), record('two', 8)).position)).toBe(true);
  expect(isSamePosition(position, after(record('one', 7), record('too', 8)).position)).toBe(false);
  expect(isSamePosition(position, new Walk(position).position)).toBe(true);
  walk.admit([record('three', 9)]);
  expect(isSamePosition(position, walk.position)).toBe(false);
});

test('an answer that ends before the last known line has not come to the end of what is known', () => {
  const walk = after(record('one', 7), record('two', 7), record('three', 7));
  expect(walk.isAmongKnown).toBe(false);
  walk.beginResume();
  expect(walk.isAmongKnown).toBe(true);
  walk.admit([record('one', 7), record('two', 7)]);
  expect([walk.aligned, walk.isAmongKnown]).toEqual([true, true]);
  walk.admit([record('three', 7)]);
  expect(walk.isAmongKnown).toBe(false);
});

test('an answer with a new line has come past what is known, whatever it left out', () => {
  const walk = after(record('one', 7), record('two', 7));
  walk.beginResume();
  walk.admit([record('one', 7), record('later', 8)]);
  expect(walk.isAmongKnown).toBe(false);
});
