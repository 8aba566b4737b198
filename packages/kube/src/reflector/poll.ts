import type { KubeObject, ReflectorEvent } from '../client.ts';
import type { KubeError } from '../errors.ts';
import { sleep } from '../values/clock.ts';
import { expectKubeError, newBackoff, type ReflectorContext, retryAfter, type Snapshot } from './context.ts';

const INTERVAL_MS = 3_000;
const MAX_INTERVAL_MS = 30_000;
/** A slow list is repeated less often: polling may take at most a tenth of the server's time. */
const REST_FACTOR = 10;

/**
 * Lists again every few seconds and yields the differences, forever. The caller has already received `known`. `refusal`
 * is the missing permission, for the user.
 */
export async function* poll<T extends KubeObject>(
  context: ReflectorContext,
  known: readonly T[],
  read: () => Promise<Snapshot<T>>,
  refusal: KubeError | undefined,
): AsyncGenerator<ReflectorEvent<T>, never> {
  const { clock } = context.wire;
  const polling: ReflectorEvent<T> = {
    type: 'state',
    state: 'polling',
    ...(refusal === undefined ? {} : { error: refusal }),
  };
  yield polling;
  let present = byIdentity(known);
  const backoff = newBackoff(context);
  let restMs = INTERVAL_MS;
  for (;;) {
    await sleep(clock, restMs, context.signal);
    const startedAtMs = clock.steady();
    let next: Map<string, T>;
    try {
      next = byIdentity((await read()).items);
    } catch (thrown) {
      const error = expectKubeError(context, thrown);
      yield* retryAfter(context, backoff, error);
      continue;
    }
    if (backoff.failures > 0) yield polling;
    backoff.reset();
    restMs = Math.min(MAX_INTERVAL_MS, Math.max(INTERVAL_MS, (clock.steady() - startedAtMs) * REST_FACTOR));
    yield* differences(present, next);
    present = next;
  }
}

/** Yields deletions first: a recreated object has the same name as the deleted one. */
function* differences<T extends KubeObject>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): Generator<ReflectorEvent<T>> {
  for (const [id, object] of before) if (!after.has(id)) yield { type: 'deleted', object };
  for (const [id, object] of after) {
    const version = object.metadata.resourceVersion;
    if (version === '' || before.get(id)?.metadata.resourceVersion !== version)
      yield { type: 'changed', object };
  }
}

function byIdentity<T extends KubeObject>(objects: readonly T[]): Map<string, T> {
  return new Map(
    objects.map((object) => {
      const { uid, namespace = '', name } = object.metadata;
      return [`${uid}/${namespace}/${name}`, object];
    }),
  );
}
