import { KubeError } from '@logtool/kube/src/errors.ts';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { kubeFailure } from '@logtool/kube/src/values/failures.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { Frame } from '../../../domain/frame.ts';
import { makeRun } from '../../../domain/record.ts';
import { boundTime } from '../../../domain/window.ts';
import type { ReadLog } from '../read-lines.ts';
import { logDoubts, readLogsOf } from './log-doubts.ts';
import { readDigests } from './read-digests.ts';

const FROM = { seconds: 10_000, nanos: 0 };
const TO = { seconds: 13_600, nanos: 0 };

function targetOf(pod: string): ContainerTarget {
  return {
    id: pod,
    namespace: 'shop',
    pod,
    podUid: pod,
    container: 'app',
    kind: 'regular',
    placement: {},
    state: { kind: 'running', containerId: pod, startedAt: { seconds: 0, nanos: 0 } },
    restartCount: 0,
    lastContainerId: undefined,
    mayRestart: true,
    podPhase: 'Running',
    deleting: false,
  };
}

/** Returns a log with one line of this many bytes each second. */
function logOf(target: ContainerTarget, bytes: number, read: Read): ReadLog {
  const run = makeRun(target, target.pod);
  const message = new Uint8Array(bytes).fill(0x61);
  return async function* (_, { from }) {
    read.opened++;
    const begin = from === undefined ? 0 : boundTime(from).seconds;
    for (let seconds = begin; seconds < TO.seconds; seconds++) {
      read.lines++;
      yield {
        type: 'records',
        records: [{ run, at: { seconds, nanos: 0 }, seq: seconds, message, partial: false, late: false }],
      };
    }
  };
}

interface Read {
  opened: number;
  lines: number;
}

/** Reads logs of these sizes; a `stalled` log does not answer, a `broken` one is unreadable. */
async function read(
  sizes: Readonly<Record<string, number | 'stalled' | 'broken'>>,
  bytes: number,
  advanceAt?: number,
) {
  const clock = new FakeClock();
  const counted: Read = { opened: 0, lines: 0 };
  const targets = Object.keys(sizes).map(targetOf);
  const readLog: ReadLog = (target, window, signal) => {
    const size = sizes[target.pod];
    if (size === 'stalled') return stalled(signal);
    if (size === 'broken') return broken(target);
    return logOf(target, size ?? 0, counted)(target, window, signal);
  };
  const reading = readDigests(
    targets,
    { from: FROM, to: TO },
    { readLog, clock, signal: new AbortController().signal, budget: { bytes, ms: 3_000 } },
  );
  if (advanceAt !== undefined) {
    await expect.poll(() => counted.lines).toBeGreaterThanOrEqual(advanceAt);
    await clock.advance(3_000);
  }
  const result = await reading;
  expect(clock.pending).toBe(0);
  return { ...result, counted, doubts: logDoubts(result, FROM, []), logs: readLogsOf(result, TO) };
}

async function* stalled(signal: AbortSignal): AsyncGenerator<Frame> {
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

async function* broken(target: ContainerTarget): AsyncGenerator<Frame> {
  yield { type: 'source', target, state: 'failed', error: kubeFailure('forbidden', {}) };
}

test('logs that fit are read once, completely', async () => {
  const { counted, logs, doubts, from } = await read({ a: 10, b: 20 }, 1_000_000);
  expect(counted).toEqual({ opened: 2, lines: 7_200 });
  expect([from, logs, doubts]).toEqual([FROM, { containers: 2, from: FROM, until: TO }, []]);
});

test('reads logs that are larger than the budget again, their newest segment completely', async () => {
  const { counted, logs, doubts, digests } = await read({ a: 100, b: 300 }, 400_000);
  expect(counted.opened).toBe(4);
  expect(logs.until).toEqual(TO);
  expect(logs.from.seconds).toBeGreaterThan(FROM.seconds);
  expect(doubts.map(({ code }) => code)).toEqual(['logs-read-late']);
  expect(counted.lines * 100).toBeLessThan(400_000);
  expect(digests.map(({ last }) => last?.seconds)).toEqual([TO.seconds - 1, TO.seconds - 1]);
});

test('a log that does not answer takes no time from logs that are read again', async () => {
  const { logs, doubts, counted } = await read({ stalled: 'stalled', a: 100, b: 300 }, 400_000, 1_000);
  expect(counted.opened).toBe(4);
  expect(logs).toMatchObject({ containers: 2, until: TO });
  expect(doubts.map(({ code, data }) => [code, 'names' in data ? data.names : undefined])).toEqual([
    ['logs-read-late', undefined],
    ['logs-cut', ['stalled app']],
  ]);
});

test('logs that wait for their turn are opened only once if all are read again', async () => {
  const sizes = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`pod-${index}`, 300]));
  const { counted, logs } = await read(sizes, 4_000_000);
  expect(counted.opened).toBe(60);
  expect(logs.containers).toBe(40);
});

test('reads a log that grows beyond the budget at its end up to the budget, and reports that', async () => {
  const target = targetOf('a');
  const run = makeRun(target, 'a');
  const result = await readDigests(
    [target],
    { from: FROM, to: TO },
    {
      async *readLog() {
        for (let seconds = FROM.seconds; seconds < TO.seconds; seconds++) {
          const message = new Uint8Array(seconds < TO.seconds - 100 ? 1 : 1_000);
          const at = { seconds, nanos: 0 };
          yield { type: 'records', records: [{ run, at, seq: 0, message, partial: false, late: false }] };
        }
      },
      clock: new FakeClock(),
      signal: new AbortController().signal,
      budget: { bytes: 60_000, ms: 3_000 },
    },
  );
  const [cut] = result.cut;
  expect(cut).toMatchObject({ why: 'bytes', until: { seconds: expect.any(Number) } });
  expect(readLogsOf(result, TO).until).toEqual(cut?.until);
  expect(result.digests[0]?.bytes).toBeLessThan(62_000);
});

test('a node that does not answer holds nothing up, and is named', async () => {
  const { logs, doubts, digests } = await read({ a: 10, b: 'stalled' }, 1_000_000, 3_600);
  expect(digests.map(({ bytes }) => bytes)).toEqual([36_000, 0]);
  expect(logs).toEqual({ containers: 1, from: FROM, until: TO });
  expect(doubts).toEqual([{ code: 'logs-cut', data: { names: ['b app'], more: 0, why: 'time' } }]);
});

test('names a log that it lacks permission to read, with the reason', async () => {
  const { logs, doubts } = await read({ a: 10, b: 'broken' }, 1_000_000);
  expect(logs.containers).toBe(1);
  expect(doubts).toEqual([{ code: 'logs-cut', data: { names: ['b app'], more: 0, why: 'forbidden' } }]);
});

test('a request that the client could not make is named with a code of the contract', async () => {
  const { doubts } = await doubtsOf(async function* (target) {
    yield recordsAt(target, 10_100);
    throw new KubeError({ kind: 'connection', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' });
  });
  const data = { names: ['a app'], more: 0, why: 'unreachable', until: '1970-01-01T02:48:20Z' };
  expect(doubts).toEqual([{ code: 'logs-cut', data }]);
});

test('a gap between two runs has its two times, even if it is reported before the first line', async () => {
  const { doubts, logs } = await doubtsOf(async function* (target) {
    const gap = {
      from: at(11_000),
      to: at(12_000, 1),
      cause: { code: 'run-begins-late', data: {} },
    } as const;
    yield { type: 'gap', target, ...gap };
    yield recordsAt(target, 10_100, 12_000.5);
  });
  const bounds = { from: '1970-01-01T03:03:20Z', to: '1970-01-01T03:20:01Z' };
  expect(doubts).toEqual([
    { code: 'logs-missing', data: { names: ['a app'], more: 0, why: 'run-begins-late', ...bounds } },
  ]);
  expect(logs.from).toEqual(FROM);
});

test('a previous run that stops in the middle is a hole, not the end of the log', async () => {
  const { doubts, logs } = await doubtsOf(async function* (target) {
    yield recordsAt(target, 10_100);
    yield {
      type: 'gap',
      target,
      from: at(10_100),
      to: at(12_000),
      cause: { code: 'end-unread', data: {} },
    };
    yield recordsAt(target, 12_500);
  });
  const bounds = { from: '1970-01-01T02:48:20Z', to: '1970-01-01T03:20:00Z' };
  expect(doubts).toEqual([
    { code: 'logs-missing', data: { names: ['a app'], more: 0, why: 'end-unread', ...bounds } },
  ]);
  expect(logs.until).toEqual(TO);
});

test('a previous run that is gone while it is read is a hole up to the lines of the next', async () => {
  const { doubts, logs } = await doubtsOf(async function* (target) {
    yield recordsAt(target, 10_100);
    yield { type: 'gap', target, from: at(10_100), to: undefined, cause: { code: 'log-gone', data: {} } };
    yield recordsAt(target, 12_500);
  });
  const bounds = { from: '1970-01-01T02:48:20Z', to: '1970-01-01T03:28:20Z' };
  expect(doubts).toEqual([
    { code: 'logs-missing', data: { names: ['a app'], more: 0, why: 'log-gone', ...bounds } },
  ]);
  expect(logs.until).toEqual(TO);
});

test('a log that is gone while it is read ends there', async () => {
  const { doubts } = await doubtsOf(async function* (target) {
    yield recordsAt(target, 10_100);
    yield { type: 'gap', target, from: at(10_100), to: undefined, cause: { code: 'log-gone', data: {} } };
  });
  const data = { names: ['a app'], more: 0, why: 'log-gone', until: '1970-01-01T02:48:20Z' };
  expect(doubts).toEqual([{ code: 'logs-cut', data }]);
});

test('before a gap without an earlier line nothing of the log is known', async () => {
  const { doubts, logs } = await doubtsOf(async function* (target) {
    yield { type: 'gap', target, from: at(11_000), to: at(12_000), cause: { code: 'rotated', data: {} } };
    yield recordsAt(target, 12_000);
  });
  const data = { names: ['a app'], more: 0, from: '1970-01-01T03:20:00Z', why: 'rotated' };
  expect(doubts).toEqual([{ code: 'logs-begin-late', data }]);
  expect(logs.from).toEqual(at(12_000));
});

function at(seconds: number, nanos = 0): Timestamp {
  return { seconds, nanos };
}

function recordsAt(target: ContainerTarget, ...times: readonly number[]): Frame {
  const run = makeRun(target, target.pod);
  const records = times.map((time, seq) => {
    const seconds = Math.floor(time);
    const message = new Uint8Array(1);
    return { run, at: at(seconds, (time - seconds) * 1e9), seq, message, partial: false, late: false };
  });
  return { type: 'records', records };
}

/** Reads the log of one container, which consists of these frames. */
async function doubtsOf(frames: (target: ContainerTarget) => AsyncIterable<Frame>) {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const read = await readDigests(
    [targetOf('a')],
    { from: FROM, to: TO },
    { readLog: (target) => frames(target), clock, signal },
  );
  return { doubts: logDoubts(read, FROM, []), logs: readLogsOf(read, TO) };
}

test('without any readable log it claims nothing', async () => {
  const { logs } = await read({ b: 'broken' }, 1_000_000);
  expect(logs).toEqual({ containers: 0, from: FROM, until: undefined });
});

test('many logs share the budget: none that waits is left out', async () => {
  const sizes = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`pod-${index}`, 10]));
  const { logs, digests } = await read(sizes, 1_500_000);
  expect(logs.containers).toBe(60);
  expect(digests.every(({ bytes }) => bytes > 0)).toBe(true);
});

test('who asks no more ends the reading', async () => {
  const abort = new AbortController();
  const reading = readDigests(
    [targetOf('b')],
    { from: FROM, to: TO },
    { readLog: (_, __, signal) => stalled(signal), clock: new FakeClock(), signal: abort.signal },
  );
  abort.abort(new Error('left'));
  await expect(reading).rejects.toThrow('left');
});

test('a previous run that does not answer leaves half of the remaining time', async () => {
  const waits: (number | undefined)[] = [];
  let steadyMs = 0;
  const clock = { now: () => 0, steady: () => steadyMs, after: () => () => undefined };
  await readDigests(
    Array.from({ length: 60 }, (_, index) => targetOf(`pod-${index}`)),
    { from: FROM, to: TO },
    {
      async *readLog(_target, _window, _signal, previousMs) {
        waits.push(previousMs);
        steadyMs += 50;
        yield { type: 'end', live: false, prev: undefined, next: undefined, cut: false };
      },
      clock,
      signal: new AbortController().signal,
    },
  );
  expect([waits[0], waits[20], waits[40], waits[59]]).toEqual([1_000, 1_000, 500, 100]);
});
