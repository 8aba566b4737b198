import type { ContainerTarget } from '../../domain/container.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import type { Window } from '../../domain/window.ts';
import type { EnginePlan } from './engine.ts';

/**
 * An explanation reads many logs in a few seconds (happenings/why): a failure that lasts longer than this is one of its
 * findings, and leaves time for the next run.
 */
const RETRY_MS = 1_000;

/** Returns the sources and the plan that read a window of one container's log. `previousMs`: see EnginePlan. */
export function oneContainer(
  target: ContainerTarget,
  window: Window,
  previousMs?: number,
): { readonly sources: AsyncIterable<ResolveEvent>; readonly plan: EnginePlan } {
  const filter = { exclude: [], ignoreCase: false, levels: [], beforeContext: 0, afterContext: 0 };
  const plan = {
    window,
    filter,
    maxLogRequests: 1,
    searchLimitBytes: 0,
    cursors: false,
    raw: false,
    retryMs: RETRY_MS,
    previousMs,
  };
  return { sources: only(target), plan };
}

/** Yields a closed set of one container. */
async function* only(target: ContainerTarget): AsyncGenerator<ResolveEvent> {
  yield { type: 'added', target };
  yield { type: 'synced', open: false };
}
