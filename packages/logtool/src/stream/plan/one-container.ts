import type { ContainerTarget } from '../../domain/container.ts';
import type { ResolveEvent } from '../../domain/resolve-event.ts';
import type { Window } from '../../domain/window.ts';
import type { EnginePlan } from './engine.ts';

/** Returns the sources and the plan that read a window of one container's log. */
export function oneContainer(
  target: ContainerTarget,
  window: Window,
): { readonly sources: AsyncIterable<ResolveEvent>; readonly plan: EnginePlan } {
  const filter = { exclude: [], ignoreCase: false, levels: [], beforeContext: 0, afterContext: 0 };
  const plan = { window, filter, maxLogRequests: 1, searchLimitBytes: 0, cursors: false, raw: false };
  return { sources: only(target), plan };
}

/** Yields a closed set of one container. */
async function* only(target: ContainerTarget): AsyncGenerator<ResolveEvent> {
  yield { type: 'added', target };
  yield { type: 'synced', open: false };
}
