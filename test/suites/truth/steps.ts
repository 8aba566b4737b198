import { compareTimestamps, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { type FindStep, find, findAcross, findStep } from './find-claims.ts';
import { SEARCHES, START_MS } from './written-records.ts';
import { containerId, NO_FACETS, type WrittenWorld } from './written-world.ts';

/* What a person and the cluster do while a page is open. */

const levels = fc.subarray(['error', 'warn', 'info', 'none', 'fatal'], { maxLength: 2 });
const fraction = fc.nat(1_000).map((thousandths) => thousandths / 1_000);
const pod = fc.nat(2);

export type Step =
  | { readonly do: 'range'; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly do: 'facets'; readonly include: readonly string[]; readonly exclude: number | undefined }
  | { readonly do: 'search'; readonly text: string; readonly only: boolean }
  | FindStep
  /** Loads an end of the log, and searches from there across what is not loaded. */
  | { readonly do: 'across'; readonly search: FindStep }
  | { readonly do: 'load'; readonly what: 'older' | 'newer' }
  | { readonly do: 'jump'; readonly at: number | 'start' | 'end' }
  | { readonly do: 'rest' | 'match' }
  | { readonly do: 'pause'; readonly isOn: boolean }
  | { readonly do: 'write'; readonly pod: number; readonly count: number }
  | { readonly do: 'rotate'; readonly pod: number; readonly at: number }
  | { readonly do: 'restart'; readonly pod: number; readonly waits: boolean; readonly count: number }
  | { readonly do: 'delete'; readonly pod: number }
  | { readonly do: 'stall' | 'break'; readonly pod: number; readonly isOn: boolean };

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('range' as const),
      from: fc.option(fraction, { nil: undefined }),
      to: fc.option(fraction, { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('facets' as const),
      include: levels,
      exclude: fc.option(pod, { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('search' as const),
      text: fc.constantFrom('', ...SEARCHES),
      only: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: findStep },
  { weight: 2, arbitrary: findAcross.map((search) => ({ do: 'across' as const, search })) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('load' as const),
      what: fc.constantFrom('older' as const, 'newer' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('jump' as const),
      at: fc.oneof(fraction, fc.constantFrom('start' as const, 'end' as const)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('rest' as const, 'match' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('write' as const), pod, count: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), isOn: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rotate' as const), pod, at: fraction }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restart' as const),
      pod,
      waits: fc.boolean(),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), pod }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('stall' as const, 'break' as const),
      pod,
      isOn: fc.boolean(),
    }),
  },
);

/** Takes a step, and waits until the page is at rest. */
export async function take(world: WrittenWorld, step: Step): Promise<void> {
  const { asked } = world;
  switch (step.do) {
    case 'range': {
      const bounds = [step.from, step.to].map((at) => (at === undefined ? undefined : momentAt(world, at)));
      const [from, to] = bounds;
      asked.from = from;
      asked.to = from !== undefined && to !== undefined && compareTimestamps(from, to) >= 0 ? undefined : to;
      return world.open();
    }
    case 'facets':
      asked.facets = {
        ...NO_FACETS,
        include: { level: step.include },
        exclude: { container: step.exclude === undefined ? [] : [containerId(step.exclude)] },
      };
      return world.send({ type: 'facets', filter: asked.facets });
    case 'search':
      asked.search = { ...asked.search, text: step.text, only: step.only };
      return world.send({ type: 'search', plan: asked.search });
    case 'find':
      return find(world, step);
    case 'across':
      await jump(world, { at: 'start' });
      return find(world, step.search);
    case 'load':
      return world.send({ type: 'load', what: step.what });
    case 'jump':
      return jump(
        world,
        typeof step.at === 'string' ? { at: step.at } : { at: 'time', ...momentAt(world, step.at) },
      );
    case 'rest':
      return world.send({ type: 'read-rest' });
    case 'pause':
      return world.send({ type: 'pause', paused: step.isOn });
    case 'match':
      await world.tryAsk({ type: 'show-match' }, 'found');
      return world.settle();
    default:
      return happen(world, step);
  }
}

async function jump(world: WrittenWorld, to: object): Promise<void> {
  await world.tryAsk({ type: 'jump', to }, 'jumped');
  await world.settle();
}

type Happening = Extract<Step, { do: 'write' | 'rotate' | 'restart' | 'delete' | 'stall' | 'break' }>;

/** Lets something happen in the cluster. */
async function happen(world: WrittenWorld, step: Happening): Promise<void> {
  const { disk, asked } = world;
  if (step.pod >= disk.pods) return;
  switch (step.do) {
    case 'write':
      // A range with an end is not followed.
      if (asked.to !== undefined) return;
      await write(world, step.pod, step.count);
      break;
    case 'rotate':
      disk.rotate(step.pod, step.at);
      break;
    case 'restart':
      for (let count = 0; count < step.count; count++) {
        disk.restart(step.pod, step.waits && count === step.count - 1);
        await pass(world, BACKOFF_MS);
        if (asked.to === undefined) await write(world, step.pod, 2);
      }
      break;
    case 'delete':
      disk.delete(step.pod);
      break;
    case 'stall':
      world.stall(step.pod, step.isOn);
      break;
    case 'break':
      world.break(step.pod, step.isOn);
  }
  // A restarted container is read again after a pause.
  await pass(world, RESUMED_MS);
  return world.settle();
}

const RESUMED_MS = 30_000;
/** A kubelet waits at least 10 s before it restarts a container that restarted just before. */
const BACKOFF_MS = 12_000;

async function pass(world: WrittenWorld, durationMs: number): Promise<void> {
  for (let ms = 0; ms < durationMs; ms += 500) await world.clock.advance(500);
}

async function write(world: WrittenWorld, pod: number, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    world.write(pod);
    // The last line of a record is at most 3 ms later than its first.
    await world.clock.advance(5);
  }
}

/** Returns a time in the range of the logs, to the millisecond. */
function momentAt({ written }: WrittenWorld, at: number) {
  const times = written.map((record) => record.at.seconds * 1000 + Math.floor(record.at.nanos / 1e6));
  const first = Math.min(START_MS, ...times);
  const last = Math.max(START_MS, ...times);
  return timestampFromMs(first + Math.floor((last + 1 - first) * at));
}
