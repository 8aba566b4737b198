import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { Frames } from '../../../../../test/support/server/frames.ts';
import { type ClosingReason, StreamClosing } from '../services.ts';
import type { FrameSource } from './frame-source.ts';
import { HEARTBEAT_MS, LAST_LINE_MS, line, NdjsonAnswer } from './ndjson-answer.ts';

interface Reported {
  readonly type: string;
  readonly from?: string;
  readonly reason?: ClosingReason;
  readonly at?: number;
}

function setUp() {
  const clock = new FakeClock();
  const stream = new AbortController();
  const request = new AbortController();
  const ends: string[] = [];
  const answer = new NdjsonAnswer({
    clock,
    stream: { signal: stream.signal, end: () => ends.push('stream') },
    requestSignal: request.signal,
    onEnd: () => ends.push('answer'),
  });
  return { clock, stream, request, ends, answer };
}

/** A source that yields what the test sets. */
class Script implements FrameSource {
  readonly waiting: object[] = [];
  ended = false;
  closed = false;

  take(): Uint8Array | undefined {
    const frame = this.waiting.shift();
    return frame === undefined ? undefined : line(frame);
  }

  close(): void {
    this.closed = true;
  }
}

const framesOf = (answer: NdjsonAnswer) => new Frames<Reported>(new Response(answer.body()));

test('sends due frames at once, each source in its turn, until all have ended', async () => {
  const { answer, ends, clock } = setUp();
  const [a, b] = [new Script(), new Script()];
  a.waiting.push({ type: 'x', from: 'a1' }, { type: 'x', from: 'a2' }, { type: 'x', from: 'a3' });
  b.waiting.push({ type: 'x', from: 'b1' });
  answer.add(a);
  answer.add(b);
  const frames = framesOf(answer);
  for (let count = 0; count < 4; count++) await frames.next();
  expect(frames.seen.map(({ from }) => from)).toEqual(['a1', 'b1', 'a2', 'a3']);
  const next = frames.next();
  b.waiting.push({ type: 'x', from: 'b2' });
  answer.wake();
  expect(await next).toEqual({ type: 'x', from: 'b2' });
  a.ended = true;
  b.ended = true;
  answer.wake();
  expect(await frames.next()).toBeUndefined();
  expect(ends).toEqual(['stream', 'answer']);
  expect(clock.pending).toBe(0);
});

test('nothing is taken from a source that the reader did not ask for', async () => {
  const { answer } = setUp();
  const source = new Script();
  for (let count = 0; count < 50_000; count++) source.waiting.push({ type: 'x' });
  answer.add(source);
  const frames = framesOf(answer);
  expect(source.waiting).toHaveLength(50_000);
  await frames.next();
  expect(source.waiting.length).toBeGreaterThan(40_000);
});

test('a heartbeat sends the time when nothing else is sent', async () => {
  const { answer, clock } = setUp();
  answer.add(new Script());
  const frames = framesOf(answer);
  const first = frames.next();
  await clock.advance(HEARTBEAT_MS);
  expect(await first).toEqual({ type: 'heartbeat', at: clock.now() });
});

test.each(['shutdown', 'signed-out', 'expired', 'revoked'] as const)(
  '%s is the last line',
  async (reason) => {
    const { answer, stream, ends } = setUp();
    const source = new Script();
    answer.add(source);
    const frames = framesOf(answer);
    const next = frames.next();
    stream.abort(new StreamClosing(reason));
    expect(await next).toEqual({ type: 'closing', reason });
    expect(await frames.next()).toBeUndefined();
    expect(source.closed).toBe(true);
    expect(ends).toEqual(['stream', 'answer']);
  },
);

test('drops a reader that takes nothing for minutes, and notifies it if it comes back in time', async () => {
  const { answer, clock } = setUp();
  const source = new Script();
  answer.add(source);
  const frames = framesOf(answer);
  source.waiting.push({ type: 'x' });
  await frames.next();
  source.waiting.push({ type: 'x' });
  await clock.advance(HEARTBEAT_MS * 10);
  expect(source.closed).toBe(false);
  await clock.advance(HEARTBEAT_MS * 11);
  expect(source.closed).toBe(true);
  await clock.advance(LAST_LINE_MS - 1);
  expect(await frames.next()).toEqual({ type: 'closing', reason: 'too-slow' });
  expect(await frames.next()).toBeUndefined();
});

test.each(['too-slow', 'signed-out'] as const)(
  'a reader that does not even take the last line (%s) is cut off, and keeps nothing',
  async (reason) => {
    const { answer, stream, ends, clock } = setUp();
    answer.add(new Script());
    const reader = answer.body().getReader();
    if (reason === 'signed-out') stream.abort(new StreamClosing(reason));
    else while (clock.pending === 1) await clock.advance(HEARTBEAT_MS);
    await clock.advance(LAST_LINE_MS - 1);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect(ends).toEqual(['stream', 'answer']);
    expect(clock.pending).toBe(0);
    await expect(reader.read()).rejects.toThrow('last line');
  },
);

test('closing a tab ends everything, whichever side notices first', async () => {
  for (const close of ['request', 'body'] as const) {
    const { answer, request, ends, clock } = setUp();
    const source = new Script();
    answer.add(source);
    const frames = framesOf(answer);
    if (close === 'request') request.abort();
    else await frames.close();
    expect(source.closed).toBe(true);
    expect(ends).toEqual(['stream', 'answer']);
    expect(clock.pending).toBe(0);
  }
});
