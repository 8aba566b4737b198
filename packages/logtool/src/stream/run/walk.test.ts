import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../domain/container.ts';
import type { LogRecord } from '../../domain/record.ts';
import { Position } from './position.ts';

const key = { podUid: 'p', container: 'c', containerId: 'id' };
const source = { key, keyText: 'p/c/id', target: {} as ContainerTarget };

function record(text: string, seconds: number, nanos = 500_000_000): LogRecord {
  return {
    source,
    at: { seconds, nanos },
    seq: 0,
    message: Buffer.from(text),
    partial: false,
    late: false,
  };
}

const texts = (records: readonly LogRecord[]) =>
  records.map(({ message }) => Buffer.from(message).toString());

/** A position that has delivered these records. */
function after(...records: readonly LogRecord[]): Position {
  const position = new Position();
  position.admit(records);
  return position;
}

test('with nothing delivered there is no point to resume from, and everything is new', () => {
  const position = new Position();
  expect([position.since, position.max, position.last, position.hasLines]).toEqual([
    undefined,
    undefined,
    undefined,
    false,
  ]);
  position.beginResume();
  expect(texts(position.admit([record('one', 1)]))).toEqual(['one']);
});

test('a resume begins at the whole second of the greatest time, or one before near its start', () => {
  expect(after(record('a', 100, 200_000_000)).since).toEqual({ seconds: 100, nanos: 0 });
  expect(after(record('a', 100, 199_999_999)).since).toEqual({ seconds: 99, nanos: 0 });
});

test('a resume never begins in the future, which would withhold what is written now', () => {
  const position = after(record('future', 10_000));
  expect(position.sinceAt(5_000_000)).toEqual({ seconds: 4_940, nanos: 0 });
  expect(position.sinceAt(10_000_000)).toEqual({ seconds: 10_000, nanos: 0 });
});

test('what was delivered is dropped once more, as often as it was delivered', () => {
  const twice = record('again', 7);
  const position = after(record('one', 6), twice, twice);
  position.beginResume();
  expect(texts(position.admit([twice, twice, twice, record('new', 8)]))).toEqual(['again', 'new']);
});

test('equal bytes at another time, and other bytes at an equal time, are other records', () => {
  const position = after(record('one', 7));
  position.beginResume();
  const others = [record('one', 7), record('one', 7, 500_000_001), record('two', 7)];
  expect(texts(position.admit(others))).toEqual(['one', 'two']);
});

test('a line that was delivered seconds ago does not stand for one of the second before the last', () => {
  const position = after(record('tick', 1), record('tick', 5));
  position.beginResume();
  // Out of its order, and never given: it looks like the first one but for its second.
  const lines = [record('tick', 5), record('tick', 4), record('tock', 5)];
  expect(texts(position.admit(lines))).toEqual(['tick', 'tock']);
});

test('each resume drops anew', () => {
  const position = after(record('one', 7));
  for (const text of ['two', 'three']) {
    position.beginResume();
    const known = ['one', ...(text === 'three' ? ['two'] : [])].map((one) => record(one, 7));
    expect(texts(position.admit([...known, record(text, 7)]))).toEqual([text]);
  }
});

test('an answer that begins behind what is known is a gap, told with both its ends', () => {
  const position = after(record('one', 7));
  const gaps: (readonly [Timestamp, Timestamp])[] = [];
  position.beginResume();
  expect(position.aligned).toBe(false);
  const fresh = position.admit([record('much later', 90), record('next', 91)], (from, to) =>
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
  const position = after(record('one', 7));
  position.beginResume();
  const fresh = position.admit([record('older', 7, 1), record('one', 7), record('later', 900)], () => {
    throw new Error('no gap');
  });
  expect(texts(fresh)).toEqual(['later']);
  expect(position.aligned).toBe(true);
});

test('lines behind a step back of the clock are remembered too', () => {
  const behind = [record('back one', 40), record('back two', 41)];
  const position = after(record('high', 100), ...behind);
  expect(position.since).toEqual({ seconds: 41, nanos: 0 });
  expect([position.max?.seconds, position.last?.seconds]).toEqual([100, 41]);
  position.beginResume();
  expect(texts(position.admit([...behind, record('back three', 42)]))).toEqual(['back three']);
});

test('a new run has no known line in front of it', () => {
  const position = after(record('one', 7));
  position.beginRun();
  expect(position.hasLines).toBe(false);
  position.beginResume();
  const fresh = position.admit([record('first of the next run', 90)], () => {
    throw new Error('no gap');
  });
  expect(texts(fresh)).toEqual(['first of the next run']);
});

test('a fork goes its own way, and can be gone back to', () => {
  const position = after(record('one', 7));
  const fork = position.fork();
  position.admit([record('two', 8)]);
  expect(fork.max?.seconds).toBe(7);
  position.restore(fork);
  expect(position.last?.seconds).toBe(7);
  position.beginResume();
  expect(texts(position.admit([record('one', 7), record('two', 8)]))).toEqual(['two']);
});

test('a later line in front of the first line of the walk is no gap where the first one shows behind it', () => {
  const position = after(record('first', 7, 500_000_000));
  position.beginResume();
  const fresh = position.admit(
    [record('in front', 7, 600_000_000), record('first', 7, 500_000_000), record('next', 7, 600_000_001)],
    () => {
      throw new Error('no gap');
    },
  );
  expect(texts(fresh)).toEqual(['next']);
});

test('lines that may be in front of a known one are a gap where the log ends without one', () => {
  const position = after(record('first', 7, 500_000_000));
  const gaps: number[] = [];
  position.beginResume();
  expect(texts(position.admit([record('soon', 7, 600_000_000)]))).toEqual([]);
  expect(position.isUnsettled).toBe(true);
  expect(texts(position.settle((_, to) => gaps.push(to.nanos)))).toEqual(['soon']);
  expect([gaps, position.isUnsettled]).toEqual([[600_000_000], false]);
});

const LONG = 'long '.repeat(4_000);

test.each(['the end', ''])(
  'the end of a long line that began the walk is known in the whole line: %j',
  (end) => {
    const noGap = () => {
      throw new Error('no gap');
    };
    const position = after(record(end, 7, 500_000_001));
    const answer = [record('in front', 7), record(`${LONG}${end}`, 7), record('close behind', 7)];
    position.beginResume();
    expect(texts(position.admit(answer, noGap))).toEqual([]);
    expect(texts(position.settle(noGap))).toEqual(['close behind']);
    const other = after(record(end, 7, 500_000_001));
    other.beginResume();
    expect(texts(other.admit([...answer, record('much later', 90)], noGap))).toEqual([
      'close behind',
      'much later',
    ]);
  },
);

test('a line of its own that another one ends with is itself, where it shows', () => {
  const position = after(record('}', 7, 500_000_001));
  position.beginResume();
  const answer = [record(`${LONG}}`, 7), record('between', 7), record('}', 7, 500_000_001)];
  expect(texts(position.admit([...answer, record('next', 8)]))).toEqual(['next']);
});
