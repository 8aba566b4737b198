import { setImmediate } from 'node:timers/promises';
import type { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { FilterPlan } from '@logtool/logtool/src/domain/filter.ts';
import type { Frame } from '@logtool/logtool/src/domain/frame.ts';
import type { LogRecord } from '@logtool/logtool/src/domain/record.ts';
import type { Window } from '@logtool/logtool/src/domain/window.ts';
import type { EnginePlan } from '@logtool/logtool/src/stream/plan/engine.ts';
import { readLogs } from '@logtool/logtool/src/stream/view/read-logs.ts';
import type { FakeCluster } from './fake-cluster.ts';

export const NO_FILTER: FilterPlan = {
  exclude: [],
  ignoreCase: false,
  levels: [],
  beforeContext: 0,
  afterContext: 0,
};

export function planOf(window: Partial<Window>, overrides: Partial<EnginePlan> = {}): EnginePlan {
  return {
    window: { selection: { kind: 'all' }, follow: false, previous: 'auto', ...window },
    filter: NO_FILTER,
    maxLogRequests: 100,
    searchLimitBytes: 0,
    cursors: false,
    raw: false,
    ...overrides,
  };
}

/** Runs until the work is done; advances a standing clock whenever nothing else can proceed. */
export async function drive<T>(clock: FakeClock, work: Promise<T>, stepMs = 50): Promise<T> {
  let done = false;
  const settled = work.finally(() => {
    done = true;
  });
  settled.catch(() => undefined);
  for (let turn = 0; !done; turn++) {
    await setImmediate();
    if (!done && clock.pending > 0) await clock.advance(stepMs);
    if (turn > 2_000_000) throw new Error('nothing moves any more');
  }
  return settled;
}

/** Collects all frames of a view that ends by itself. */
export async function collect(
  cluster: FakeCluster,
  clock: FakeClock,
  plan: EnginePlan,
  signal: AbortSignal = new AbortController().signal,
): Promise<Frame[]> {
  const frames: Frame[] = [];
  const reading = async () => {
    const sources = cluster.sources({ follow: plan.window.follow, signal });
    for await (const frame of readLogs({ client: cluster.client, clock, signal }, sources, plan))
      frames.push(frame);
  };
  await drive(clock, reading());
  return frames;
}

export function recordsOf(frames: readonly Frame[]): LogRecord[] {
  return frames.flatMap((frame) => (frame.type === 'records' ? frame.records : []));
}

/** Describes a record in one line: container, run, time and bytes. */
export function nameOf(record: LogRecord): string {
  const { target, key } = record.run;
  const bytes = Buffer.from(record.message);
  const text =
    bytes.length > 80 ? `${bytes.toString('latin1', 0, 40)}..${bytes.length}` : bytes.toString('latin1');
  return `${formatTimestamp(record.at)} ${target.pod}/${target.container} ${key.containerId} ${text}`;
}
