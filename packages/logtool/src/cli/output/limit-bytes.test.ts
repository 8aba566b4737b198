import { expect, test } from 'vitest';
import { record, target } from '../../../../../test/support/cli/fake-services.ts';
import { codeOf, planOf } from '../../../../../test/support/cli/plan-of.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { noticeText } from '../messages/notice-text.ts';
import { limitBytes } from './limit-bytes.ts';

const recordOf = (pod: string, text: string) => record(target(pod), '1970-01-01T00:00:00Z', text);

async function shown(limit: number, ...batches: (readonly LogRecord[])[]): Promise<readonly string[]> {
  async function* frames(): AsyncGenerator<Frame> {
    for (const records of batches) yield { type: 'records', records };
    yield { type: 'end', live: false, prev: undefined, next: undefined, cut: false };
  }
  const lines: string[] = [];
  for await (const frame of limitBytes(frames(), limit)) {
    if (frame.type === 'records')
      lines.push(...frame.records.map(({ run, message }) => `${run.target.pod} ${Buffer.from(message)}`));
    else
      lines.push(frame.type === 'notice' && frame.code === 'bytes-limited' ? noticeText(frame) : frame.type);
  }
  return lines;
}

test('each container has the limit for itself, newlines counted, and the last message is cut', async () => {
  const first = [recordOf('a', 'one'), recordOf('b', 'x'), recordOf('a', 'three')];
  expect(await shown(7, first, [recordOf('a', 'four'), recordOf('b', 'y')])).toEqual([
    'a one',
    'b x',
    'a thr',
    'b y',
    '--limit-bytes cut the records of one container',
    'end',
  ]);
});

test('messages that fit exactly stay whole, without a notice', async () =>
  expect(await shown(8, [recordOf('a', 'one'), recordOf('a', 'two')])).toEqual(['a one', 'a two', 'end']));

test('--limit-bytes takes a size; 0 is no limit', async () => {
  expect((await planOf(['web', '--limit-bytes=500'])).limitBytes).toBe(500);
  expect((await planOf(['web', '--limit-bytes=1KiB'])).limitBytes).toBe(1024);
  expect((await planOf(['web', '--limit-bytes=0', '--raw'])).limitBytes).toBeUndefined();
  expect((await planOf(['web', '--limit-bytes=5', '--raw'])).engine.raw).toBe(false);
  expect(await codeOf(['web', '--limit-bytes=much'])).toBe('bad-size');
});
