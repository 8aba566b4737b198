import type { KubeClient, ResourceType } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { applyTarget } from '../apply/apply-target.ts';
import type { Kept } from '../apply/kept.ts';
import type { PullWatchOptions } from '../apply/pull-watch.ts';
import { readManifest } from '../apply/read-manifest.ts';
import { jobEnd, podEnd, readinessOf } from '../apply/readiness.ts';
import { resolveTargets } from '../apply/target.ts';
import { type Judge, waitFor } from '../apply/wait.ts';
import { helmFailure } from '../failures.ts';
import { describedFailure } from '../release/described-failure.ts';
import type { Hook, HookEvent, HookPhase, Release } from '../release/release.ts';
import { forwardLogs } from './hook-logs.ts';
import { type HookTargets, isRemovedBy, makeRoom, removeByPolicy } from './hook-objects.ts';

export interface HookOptions extends PullWatchOptions {
  readonly client: KubeClient;
  readonly types: readonly ResourceType[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Stores the release with the results of its hooks in the cluster. */
  readonly record: (release: Release) => Promise<void>;
  /** Receives every result at once, before it is recorded, including one that ends the action. */
  readonly onResult: (release: Release) => void;
  /** Receives each log line of a hook that requests its log; the hook run awaits the result. */
  readonly onLog?: ((line: string) => void | Promise<void>) | undefined;
  /** Called when a requested log cannot be read. */
  readonly onLogFailure?: ((hook: Hook, failure: Error) => void) | undefined;
  /** Called for an object that stays although a delete policy selects it. */
  readonly onKept?: ((kept: Kept) => void) | undefined;
  readonly onHook?: ((hook: Hook, event: HookEvent) => void) | undefined;
}

/** Jobs and Pods must succeed; anything else must exist. */
const hasRun: Judge = {
  wanted: 'done',
  hasTroubles: true,
  of(target, live) {
    if (live === undefined) return { state: 'waiting', obstacle: { problem: 'absent' } };
    const { kind } = target.object;
    if (kind !== 'Job' && kind !== 'Pod') return readinessOf(live);
    return (
      (kind === 'Job' ? jobEnd : podEnd)(live) ?? { state: 'waiting', obstacle: { problem: 'not-ended' } }
    );
  },
};

/**
 * Runs the hooks of an event one after the other, by weight and then by name, each to completion. Returns the release
 * with their results (https://helm.sh/docs/topics/charts_hooks/).
 * @throws CodedError `hook-failed`, after cleaning up earlier hooks by their policies; `not-owned` if a hook would
 * replace an object of another release.
 */
export async function runHooks(release: Release, event: HookEvent, options: HookOptions): Promise<Release> {
  let current = release;
  const due = release.hooks
    .map((hook, index) => ({ hook: withPolicy(hook), index }))
    .filter(({ hook }) => hook.events.includes(event))
    .sort((a, b) => a.hook.weight - b.hook.weight || compareBytes(a.hook.name, b.hook.name));
  const done: HookTargets[] = [];
  for (const { hook, index } of due) {
    options.onHook?.(hook, event);
    const targets = resolveTargets(readManifest(hook.manifest), options.types, release.namespace);
    await makeRoom({ hook, targets }, release, options);
    const startedAt = now(options.clock);
    current = withRun(current, index, hook, { startedAt, phase: 'Running' });
    options.onResult(current);
    await options.record(current);
    const end = (phase: HookPhase) => {
      current = withRun(current, index, hook, { startedAt, completedAt: now(options.clock), phase });
      options.onResult(current);
    };
    try {
      for (const target of targets) await applyTarget(options.client, target, undefined, options);
      await waitFor(options.client, targets, hasRun, options);
    } catch (error) {
      end('Failed');
      options.signal?.throwIfAborted();
      await forwardLogs(hook, targets, 'hook-failed', options);
      const failure = {
        event,
        hook: { name: hook.name, path: hook.path, kind: hook.kind },
        namespace: current.namespace,
        failure: describedFailure(options.client, error),
        isDeleted: isDeleted(hook, error),
      };
      try {
        await removeByPolicy({ hook, targets }, 'hook-failed', release, options);
        for (const one of done) await removeByPolicy(one, 'hook-succeeded', release, options);
      } catch (second) {
        options.signal?.throwIfAborted();
        const data = { ...failure, second: describedFailure(options.client, second) };
        throw helmFailure('hook-failed', data, { cause: error });
      }
      throw helmFailure('hook-failed', failure, { cause: error });
    }
    end('Succeeded');
    done.push({ hook, targets });
  }
  for (const { hook, targets } of done.reverse()) {
    await forwardLogs(hook, targets, 'hook-succeeded', options);
    await removeByPolicy({ hook, targets }, 'hook-succeeded', release, options);
  }
  return current;
}

/** Applies Helm's default policy to a hook without one; Helm records it with the hook after the run. */
export function withPolicy(hook: Hook): Hook {
  return hook.deletePolicies.length === 0 ? { ...hook, deletePolicies: ['before-hook-creation'] } : hook;
}

function withRun(release: Release, index: number, hook: Hook, lastRun: Hook['lastRun']): Release {
  return { ...release, hooks: release.hooks.with(index, { ...hook, lastRun }) };
}

const now = (clock: Clock) => new Date(clock.now()).toISOString();

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Whether the policy of a failed hook has deleted its objects. */
function isDeleted(hook: Hook, cause: unknown): boolean {
  const hasRun = cause instanceof CodedError && cause.code.startsWith('wait-');
  return hasRun && isRemovedBy(hook, 'hook-failed');
}
