import type { KubeClient, RequestOptions } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { sleep } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { helmFailure, type Inspection } from '../failures.ts';
import {
  createTroubleFinder,
  type FinderOptions,
  type FoundTrouble,
  type TroubleFinder,
} from './find-trouble.ts';
import type { Obstacle, Pending, Wanted } from './obstacle.ts';
import { readLive } from './ownership.ts';
import { descriptionOf } from './pod-trouble.ts';
import { createPullWatch, type PullWatchOptions } from './pull-watch.ts';
import { type LiveObject, type Readiness, readinessOf } from './readiness.ts';
import { type Target, targetText } from './target.ts';

/** Delay between two inspections during a wait: a poll, not a retry. */
const CHECK_EVERY_MS = 1_000;
/** The maximum number of unready objects to explain: each needs its own requests. */
const EXPLAINED = 10;

export interface WaitOptions extends FinderOptions, PullWatchOptions {
  readonly timeoutMs: number;
  /** Called on every change, with how many objects of how many are ready, and what the first of the others lack. */
  readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
}

export interface WaitProgress {
  readonly wanted: Wanted;
  readonly done: number;
  readonly total: number;
  readonly pending: readonly Pending[];
}

/** The state to wait for, and how to judge an object; `live` is undefined if the object does not exist. */
export interface Judge {
  readonly wanted: Wanted;
  /** Whether pods, events and controllers can show what keeps an object from the state. */
  readonly hasTroubles: boolean;
  readonly of: (target: Target, live: LiveObject | undefined) => Readiness;
}

const ABSENT: Readiness = { state: 'waiting', obstacle: { problem: 'absent' } };

/** Each object matches its manifest. */
export const exists: Judge = {
  wanted: 'ready',
  hasTroubles: true,
  of: (_, live) => (live === undefined ? ABSENT : readinessOf(live)),
};
/** Each object is gone. */
export const isGone: Judge = {
  wanted: 'gone',
  hasTroubles: false,
  of: (_, live) =>
    live === undefined ? { state: 'ready' } : { state: 'waiting', obstacle: stillExists(live) },
};

/**
 * Waits until the judge finds all targets ready. It keeps waiting while the API server is unavailable.
 * @throws CodedError `wait-failed` at the first target that can no longer become ready, `image-unavailable` for an
 * image that waiting cannot make available, `wait-timeout` with what is missing after `timeoutMs`; the signal's reason
 * when it is aborted.
 */
export async function waitFor(
  client: KubeClient,
  targets: readonly Target[],
  judge: Judge,
  options: WaitOptions,
): Promise<void> {
  const { clock, timeoutMs, signal, since, onProgress } = options;
  const deadline = clock.now() + timeoutMs;
  const findTrouble = createTroubleFinder(client, { signal, since });
  const pulls = createPullWatch(options);
  let open = targets.filter(({ object }) => object.name !== '');
  const total = open.length;
  let reported: string | undefined;
  while (open.length > 0) {
    signal?.throwIfAborted();
    const inspected = await Promise.all(open.map((target) => inspect(client, target, judge, { signal })));
    const broken = inspected.find(({ readiness }) => readiness.state === 'failed');
    if (broken !== undefined) throw waitFailed(await explain(broken, judge, findTrouble), judge.wanted);
    const left = inspected.filter(({ readiness }) => readiness.state !== 'ready');
    open = left.map(({ target }) => target);
    const explained = await Promise.all(
      left.slice(0, EXPLAINED).map((one) => explain(one, judge, findTrouble)),
    );
    const all = [...explained, ...left.slice(EXPLAINED)];
    const pending = all.map(pendingOf);
    const now = JSON.stringify(pending);
    if (now !== reported) onProgress?.({ wanted: judge.wanted, done: total - open.length, total, pending });
    reported = now;
    if (open.length === 0) return;
    pulls.note(explained.flatMap(({ found }) => found?.image ?? []));
    if (clock.now() >= deadline) throw pulls.failure ?? waitTimeout(timeoutMs, all, judge.wanted);
    await sleep(clock, Math.min(CHECK_EVERY_MS, deadline - clock.now()), signal);
  }
}

/** The state of an object, and what keeps it from being ready. */
interface Inspected {
  readonly target: Target;
  readonly readiness: Readiness;
  readonly live?: LiveObject | undefined;
  readonly found?: FoundTrouble | undefined;
}

async function explain(one: Inspected, { hasTroubles }: Judge, find: TroubleFinder): Promise<Inspected> {
  const { target, live } = one;
  return !hasTroubles || live === undefined ? one : { ...one, found: await find(target, live) };
}

/** @throws Error for a ready object: it has no obstacle. */
function pendingOf({ target, readiness, found }: Inspected): Pending {
  if (readiness.state === 'ready') throw new Error(targetText(target));
  return { object: targetText(target), obstacle: readiness.obstacle, trouble: found?.trouble };
}

function stillExists({ metadata }: LiveObject): Obstacle {
  const { deletionTimestamp, finalizers = [] } = metadata;
  return { problem: 'still-exists', finalizers: deletionTimestamp === undefined ? [] : finalizers };
}

async function inspect(
  client: KubeClient,
  target: Target,
  judge: Judge,
  options: RequestOptions,
): Promise<Inspected> {
  try {
    const live = (await readLive(client, target, options)) as LiveObject | undefined;
    return { target, live, readiness: judge.of(target, live) };
  } catch (error) {
    const mayPass = isKubeError(error, 'connection') || isKubeError(error, 'server');
    if (!mayPass || options.signal?.aborted) throw error;
    const obstacle: Obstacle = { problem: 'reported', message: whyOf(error) };
    return { target, readiness: { state: 'waiting', obstacle } };
  }
}

/** Returns the command that shows more about an object. */
function inspectionOf({ target: { object, type, namespace }, found, live }: Inspected): Inspection {
  if (found !== undefined) return found.inspect;
  // `kubectl describe` fails for an object that does not exist.
  return live === undefined
    ? { kind: 'list', resource: type.plural, name: object.name, namespace }
    : descriptionOf(type.plural, object.name, namespace);
}

function waitFailed(one: Inspected, wanted: Wanted): CodedError {
  return helmFailure('wait-failed', { wanted, pending: pendingOf(one), inspect: inspectionOf(one) });
}

function waitTimeout(timeoutMs: number, left: readonly Inspected[], wanted: Wanted): CodedError {
  const pending = left.map(pendingOf);
  const [first] = left;
  const inspect = first && inspectionOf(first);
  return helmFailure('wait-timeout', { of: 'objects', wanted, timeoutMs, pending, inspect });
}
