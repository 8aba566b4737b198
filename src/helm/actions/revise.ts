import type { KubeObject, ResourceType } from '../../kube/client.ts';
import { converge } from '../apply/converge.ts';
import type { Target } from '../apply/target.ts';
import { isThere, waitFor } from '../apply/wait.ts';
import { type HookOptions, runHooks } from '../hooks/run-hooks.ts';
import type { HookEvent, Release } from '../release/release.ts';
import type { ActionContext, ChangeOptions } from './action.ts';

/** From one set of objects to the next, with the hooks around it. */
export interface Revision {
  readonly release: Release;
  readonly types: readonly ResourceType[];
  readonly before: readonly Target[];
  readonly wanted: readonly Target[];
  readonly live: ReadonlyMap<Target, KubeObject>;
  readonly hooks: readonly [before: HookEvent, after: HookEvent];
  /** Told of the release whenever a hook has come to something: what is known of it when the rest fails. */
  readonly onResult: (release: Release) => void;
}

/**
 * The part that install, upgrade and rollback have in common: hooks, objects, waiting, hooks. Gives the release with
 * the results of its hooks; its status is the caller's.
 */
export async function revise(
  context: ActionContext,
  revision: Revision,
  options: ChangeOptions,
): Promise<Release> {
  const { client, clock, storage, signal, onProgress } = context;
  const { types, before, wanted, live } = revision;
  let current = revision.release;
  const hooks = (event: HookEvent) => {
    const hookOptions: HookOptions = {
      client,
      clock,
      types,
      signal,
      timeoutMs: options.timeoutMs,
      record: (release) => storage.update(release, { signal }),
      onResult: revision.onResult,
      onHook: (hook) => onProgress?.({ kind: 'hook', hook, event }),
    };
    return runHooks(current, event, hookOptions);
  };
  current = await hooks(revision.hooks[0]);
  const told = (kind: 'applied' | 'deleted' | 'kept') => (target: Target) => onProgress?.({ kind, target });
  await converge(client, before, wanted, live, {
    signal,
    onApplied: told('applied'),
    onDeleted: told('deleted'),
    onKept: told('kept'),
  });
  if (options.wait) {
    await waitFor(client, wanted, isThere, {
      clock,
      timeoutMs: options.timeoutMs,
      signal,
      onProgress: (progress) => onProgress?.({ kind: 'waiting', progress }),
    });
  }
  return hooks(revision.hooks[1]);
}
