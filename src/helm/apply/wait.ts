import { type Clock, sleep } from '../../domain/clock.ts';
import { LogtoolError } from '../../domain/errors.ts';
import type { KubeClient, RequestOptions } from '../../kube/client.ts';
import { isKubeError } from '../../kube/errors.ts';
import { readLive } from './ownership.ts';
import { type LiveObject, type Readiness, readinessOf } from './readiness.ts';
import { type Target, targetText } from './target.ts';

/** Between two looks at what is waited for. */
const LOOK_EVERY_MS = 1_000;

export interface WaitOptions extends RequestOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Told whenever something has changed: how many of how many are there, and what the first of the rest lacks. */
  readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
}

export interface WaitProgress {
  /** What they are waited to be: `ready`, `gone`, `done`. */
  readonly wanted: string;
  readonly done: number;
  readonly total: number;
  /** `Deployment "web" in namespace "shop": 1 of 3 pods are available` */
  readonly pending: readonly string[];
}

/** What targets are waited to be, and how each is judged; without a live object there is none any more. */
export interface Judge {
  readonly wanted: string;
  readonly of: (target: Target, live: LiveObject | undefined) => Readiness;
}

const ABSENT: Readiness = { state: 'waiting', why: 'it is not there' };

/** Each object is what its manifest asks for. */
export const isThere: Judge = {
  wanted: 'ready',
  of: (_, live) => (live === undefined ? ABSENT : readinessOf(live)),
};
/** Each object has gone. */
export const isGone: Judge = {
  wanted: 'gone',
  of: (_, live) => (live === undefined ? { state: 'ready' } : { state: 'waiting', why: 'it is still there' }),
};

/**
 * Waits until all targets are judged ready. An API server that is away for a while is waited for as well.
 * @throws LogtoolError `wait-failed` at the first that can no longer become ready, `wait-timeout` with what is missing
 * when the time is up; the signal's reason when it is aborted.
 */
export async function waitFor(
  client: KubeClient,
  targets: readonly Target[],
  judge: Judge,
  options: WaitOptions,
): Promise<void> {
  const { clock, timeoutMs, signal, onProgress } = options;
  const deadline = clock.now() + timeoutMs;
  let open = targets.filter(({ object }) => object.name !== '');
  const total = open.length;
  let told: string | undefined;
  while (open.length > 0) {
    signal?.throwIfAborted();
    const looks = await Promise.all(open.map((target) => look(client, target, judge, { signal })));
    for (const { target, readiness } of looks)
      if (readiness.state === 'failed') throw waitFailed(target, readiness.why);
    const left = looks.filter(({ readiness }) => readiness.state !== 'ready');
    open = left.map(({ target }) => target);
    const pending = left.map(({ target, readiness }) =>
      readiness.state === 'ready' ? '' : `${targetText(target)}: ${readiness.why}`,
    );
    const now = pending.join('\n');
    if (now !== told) onProgress?.({ wanted: judge.wanted, done: total - open.length, total, pending });
    told = now;
    if (open.length === 0) return;
    if (clock.now() >= deadline) throw waitTimeout(timeoutMs, pending, judge.wanted);
    await sleep(clock, Math.min(LOOK_EVERY_MS, deadline - clock.now()), signal);
  }
}

async function look(client: KubeClient, target: Target, judge: Judge, options: RequestOptions) {
  try {
    const live = (await readLive(client, target, options)) as LiveObject | undefined;
    return { target, readiness: judge.of(target, live) };
  } catch (error) {
    const mayPass = isKubeError(error, 'connection') || isKubeError(error, 'server');
    if (!mayPass || options.signal?.aborted) throw error;
    const readiness: Readiness = { state: 'waiting', why: (error as Error).message };
    return { target, readiness };
  }
}

function waitFailed(target: Target, why: string): LogtoolError {
  return new LogtoolError({
    code: 'wait-failed',
    what: `${targetText(target)} does not become ready`,
    why,
    next: `look at it with: kubectl describe ${target.type.plural} ${target.object.name}${target.namespace === undefined ? '' : ` -n ${target.namespace}`}`,
  });
}

function waitTimeout(timeoutMs: number, pending: readonly string[], wanted: string): LogtoolError {
  return new LogtoolError({
    code: 'wait-timeout',
    what: `${pending.length === 1 ? 'one object is' : `${pending.length} objects are`} not ${wanted} after ${timeoutMs / 1000} s`,
    why: pending.join('\n'),
    next: 'give it more time with --timeout, or look at the objects named here with kubectl describe',
  });
}
