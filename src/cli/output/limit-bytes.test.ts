import { expect, test } from 'vitest';
import type { Frame } from '../../domain/frame.ts';
import { type LogRecord, makeSource } from '../../domain/record.ts';
import { codeOf, planOf } from '../testing/plan-of.ts';
import { limitBytes } from './limit-bytes.ts';

function record(pod: string, text: string): LogRecord {
  const target = {
    id: `${pod}/app`,
    namespace: 'shop',
    pod,
    podUid: pod,
    container: 'app',
    kind: 'regular',
    placement: {},
    state: { kind: 'running', containerId: 'c', startedAt: undefined },
    restartCount: 0,
    lastContainerId: undefined,
    mayRestart: true,
    podPhase: 'Running',
    deleting: false,
  } as const;
  const at = { seconds: 0, nanos: 0 };
  return {
    source: makeSource(target, 'c'),
    at,
    seq: 0,
    message: Buffer.from(text),
    partial: false,
    late: false,
  };
}

async function shown(limit: number, ...batches: (readonly LogRecord[])[]): Promise<readonly string[]> {
  async function* frames(): AsyncGenerator<Frame> {
    for (const records of batches) yield { type: 'records', records };
    yield { type: 'end', live: false, prev: undefined, next: undefined, cut: false };
  }
  const lines: string[] = [];
  for await (const frame of limitBytes(frames(), limit)) {
    if (frame.type === 'records')
      lines.push(
        ...frame.records.map(({ source, message }) => `${source.target.pod} ${Buffer.from(message)}`),
      );
    else lines.push(frame.type === 'notice' ? frame.text : frame.type);
  }
  return lines;
}

test('each container has the limit for itself, newlines counted, and the last message is cut', async () => {
  const first = [record('a', 'one'), record('b', 'x'), record('a', 'three')];
  expect(await shown(7, first, [record('a', 'four'), record('b', 'y')])).toEqual([
    'a one',
    'b x',
    'a thr',
    'b y',
    '--limit-bytes cut the records of one container',
    'end',
  ]);
});

test('what fits exactly is whole, and nothing is said', async () =>
  expect(await shown(8, [record('a', 'one'), record('a', 'two')])).toEqual(['a one', 'a two', 'end']));

test('--limit-bytes takes a size; 0 is no limit', async () => {
  expect((await planOf(['web', '--limit-bytes=500'])).limitBytes).toBe(500);
  expect((await planOf(['web', '--limit-bytes=1KiB'])).limitBytes).toBe(1024);
  expect((await planOf(['web', '--limit-bytes=0', '--raw'])).limitBytes).toBeUndefined();
  expect((await planOf(['web', '--limit-bytes=5', '--raw'])).engine.raw).toBe(false);
  expect(await codeOf(['web', '--limit-bytes=much'])).toBe('bad-size');
});
