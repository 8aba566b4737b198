import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { eventFact, exitFact, rolloutFact, startFact } from '../../../../../test/support/domain/facts.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import type { Fact } from '../../domain/facts/fact.ts';
import type { Frame } from '../../domain/frame.ts';
import { type LogRecord, makeRun } from '../../domain/record.ts';
import type { Selection } from '../../domain/window.ts';
import type { FactFrame } from '../../happenings/fact-feed.ts';
import type { PrintedFrame } from '../output/limit-bytes.ts';
import { withFacts } from './with-facts.ts';

const target: ContainerTarget = {
  id: 'web-1/app',
  namespace: 'shop',
  pod: 'web-1',
  podUid: 'web-1',
  container: 'app',
  kind: 'regular',
  placement: {},
  state: { kind: 'running', containerId: '1', startedAt: undefined },
  restartCount: 0,
  lastContainerId: undefined,
  mayRestart: true,
  podPhase: 'Running',
  deleting: false,
};

function recordAt(seconds: number, run = '1'): LogRecord {
  const at = { seconds, nanos: 5 };
  return {
    run: makeRun(target, run),
    at,
    seq: 0,
    message: new Uint8Array(),
    partial: false,
    late: false,
  };
}

const records = (...some: readonly LogRecord[]): Frame => ({ type: 'records', records: some });
const end = (live: boolean, cut = false): Frame => ({
  type: 'end',
  live,
  cut,
  prev: undefined,
  next: undefined,
});
const at = (seconds: number) => ({ seconds, nanos: 0 });
const subject = (run: string) => ({
  kind: 'Pod',
  namespace: 'shop',
  name: 'web-1',
  uid: 'web-1',
  container: 'app',
  run,
});
const event = (seconds: number, severity: Fact['severity'] = 'warning') =>
  eventFact({ id: `event ${seconds}`, at: at(seconds), severity });

function line(frame: PrintedFrame): string {
  switch (frame.type) {
    case 'records':
      return frame.records.map(({ at: time, run }) => `${run.key.containerId}:${time.seconds}`).join(' ');
    case 'fact':
      return frame.fact.id;
    case 'notice':
      return frame.code;
    case 'source':
      return frame.state;
    default:
      return frame.type;
  }
}

/** A source of frames that a test controls. */
class Feed<F> implements AsyncIterable<F> {
  readonly #waiting: F[] = [];
  #wake = () => {};
  #isOver = false;

  push(...frames: readonly F[]): void {
    this.#waiting.push(...frames);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<F, void, undefined> {
    for (;;) {
      yield* this.#waiting.splice(0);
      if (this.#waiting.length > 0) continue;
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function open(selection: Selection, follow: boolean, events: 'warnings' | 'all' = 'all') {
  const frames = new Feed<PrintedFrame>();
  const facts = new Feed<FactFrame>();
  const clock = new FakeClock();
  const window = { selection, follow, previous: 'auto' as const };
  const merged = withFacts(frames, facts, { window, events, clock });
  const next = async () => {
    const { value, done } = await merged.next();
    return done === true ? 'over' : line(value);
  };
  const lines = async (count: number) => {
    const found: string[] = [];
    while (found.length < count) found.push(await next());
    return found;
  };
  return { frames, facts, clock, next, lines };
}

const known = (...facts: readonly Fact[]): readonly FactFrame[] => [
  { type: 'facts', facts },
  { type: 'read' },
];

test('the facts of a whole range lie among its records, those around them too', async () => {
  const view = open({ kind: 'all' }, false);
  view.facts.push(...known(event(1), event(3), event(9)));
  view.frames.push(records(recordAt(2)), records(recordAt(4)), end(false));
  expect(await view.lines(6)).toEqual(['event 1', '1:2', 'event 3', '1:4', 'event 9', 'end']);
});

test('a tail that leaves records out has no facts before its first record', async () => {
  const view = open({ kind: 'tail', count: 2 }, false);
  view.facts.push(...known(event(1), event(3), event(9)));
  view.frames.push(records(recordAt(2), recordAt(4)), end(false, true));
  expect(await view.lines(5)).toEqual(['1:2', 'event 3', '1:4', 'event 9', 'end']);
});

test('a head that leaves records out has no facts after its last record', async () => {
  const view = open({ kind: 'head', count: 2 }, false);
  view.facts.push(...known(event(1), event(3), event(9)));
  view.frames.push(records(recordAt(2), recordAt(4)), end(false, true));
  expect(await view.lines(5)).toEqual(['event 1', '1:2', 'event 3', '1:4', 'end']);
});

test('--tail=0 asks for no backlog, and gets no facts of it', async () => {
  const view = open({ kind: 'tail', count: 0 }, true);
  view.facts.push(...known(event(1)));
  view.frames.push(end(true));
  expect(await view.next()).toBe('end');
  view.facts.push({ type: 'facts', facts: [event(5)] });
  expect(await view.next()).toBe('event 5');
});

test('a container that never wrote has its facts all the same', async () => {
  const view = open({ kind: 'tail', count: 10 }, false);
  view.facts.push(...known(event(1)));
  view.frames.push({ type: 'source', state: 'waiting', reason: 'ImagePullBackOff', target }, end(false));
  expect(await view.lines(3)).toEqual(['waiting', 'event 1', 'end']);
});

test('warnings leave out what is normal, now and later', async () => {
  const view = open({ kind: 'all' }, true, 'warnings');
  view.facts.push(...known(event(1, 'normal'), event(3)));
  view.frames.push(records(recordAt(2)), end(true));
  expect(await view.lines(3)).toEqual(['1:2', 'event 3', 'end']);
  view.facts.push({ type: 'facts', facts: [event(5, 'normal'), event(6, 'fatal')] });
  expect(await view.next()).toBe('event 6');
});

test('an unreadable source of facts is reported before the records', async () => {
  const view = open({ kind: 'all' }, false);
  view.facts.push({ type: 'notice', code: 'facts-forbidden', data: { of: 'nodes' } }, ...known(event(1)));
  view.frames.push(records(recordAt(2)), end(false));
  expect(await view.lines(4)).toEqual(['facts-forbidden', 'event 1', '1:2', 'end']);
});

async function live() {
  const view = open({ kind: 'all' }, true);
  view.facts.push(...known());
  view.frames.push(end(true));
  expect(await view.next()).toBe('end');
  return view;
}

const exit = exitFact({ id: 'exit 1', at: at(5), subject: subject('1') });
const start = startFact({ id: 'start 2', at: at(5), subject: subject('2') });

test('live, an exit waits for the last records of its run, and a start for the first of its', async () => {
  const view = await live();
  view.facts.push({ type: 'facts', facts: [exit, start] });
  view.frames.push(records(recordAt(6)));
  expect(await view.next()).toBe('1:6');
  view.frames.push(records(recordAt(7), recordAt(8, '2')));
  expect(await view.lines(4)).toEqual(['1:7', 'exit 1', 'start 2', '2:8']);
});

test('live, an exit comes when the run is reported to be over', async () => {
  const view = await live();
  view.facts.push({ type: 'facts', facts: [exit] });
  view.frames.push(records(recordAt(6)), { type: 'source', state: 'restarted', count: 1, target });
  expect(await view.lines(3)).toEqual(['1:6', 'exit 1', 'restarted']);
});

test('live, an exit that is known after the end of its run comes at once', async () => {
  const view = await live();
  view.frames.push({ type: 'source', state: 'waiting', reason: 'CrashLoopBackOff', target });
  expect(await view.next()).toBe('waiting');
  view.facts.push({ type: 'facts', facts: [exit] });
  expect(await view.next()).toBe('exit 1');
});

test('live, a run that writes nothing holds its exit and start for a moment only, and what comes after them', async () => {
  const view = await live();
  view.facts.push(
    { type: 'facts', facts: [exit, event(5), start, event(6)] },
    { type: 'facts', facts: [event(4)] },
  );
  expect(await view.next()).toBe('event 4');
  const exited = view.next();
  await view.clock.advance(5_000);
  expect(await exited).toBe('exit 1');
  expect(await view.lines(3)).toEqual(['event 5', 'start 2', 'event 6']);
});

test('live, what is held comes before the end', async () => {
  const view = await live();
  view.facts.push({ type: 'facts', facts: [exit, event(5), event(4)] });
  expect(await view.next()).toBe('event 4');
  view.frames.end();
  expect(await view.lines(3)).toEqual(['exit 1', 'event 5', 'over']);
});

test('live, the waiting of a container and its back-off come after the exit that they follow', async () => {
  const view = await live();
  const after = [
    eventFact({ id: 'BackOff', at: at(6) }),
    eventFact({ id: 'CrashLoopBackOff', at: at(5), bound: 'not-before' }),
  ];
  view.facts.push({ type: 'facts', facts: [exit, ...after] });
  view.frames.push(records(recordAt(6)));
  expect(await view.next()).toBe('1:6');
  view.frames.push({ type: 'source', state: 'waiting', reason: 'CrashLoopBackOff', target });
  expect(await view.lines(4)).toEqual(['exit 1', 'CrashLoopBackOff', 'BackOff', 'waiting']);
});

test('live, prints each fact once, unless it continues', async () => {
  const view = open({ kind: 'all' }, true);
  const rollout = rolloutFact({
    id: 'revision 1',
    at: at(1),
    data: { revision: 1, images: [], isOver: true },
  });
  view.facts.push(...known(rollout));
  view.frames.push(end(true));
  expect(await view.lines(2)).toEqual(['revision 1', 'end']);
  const scheduled = eventFact({ id: 'scheduled', at: at(5) });
  view.facts.push(
    { type: 'facts', facts: [{ ...rollout, data: { revision: 1, images: [] } } as Fact] },
    { type: 'facts', facts: [scheduled] },
    { type: 'facts', facts: [{ ...scheduled, at: { seconds: 5, nanos: 17_000_000 }, precision: 'us' }] },
    { type: 'facts', facts: [{ ...scheduled, message: 'assigned' }] },
    { type: 'facts', facts: [{ ...scheduled, count: 2, until: at(8) }] },
    { type: 'facts', facts: [event(9)] },
  );
  expect(await view.lines(3)).toEqual(['scheduled', 'scheduled', 'event 9']);
});
