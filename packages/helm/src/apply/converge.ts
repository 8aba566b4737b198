import type { KubeClient, RequestOptions } from '@logtool/kube/src/client.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import { helmFailure, type KeptReason, type OtherRelease } from '../failures.ts';
import { applyTarget } from './apply-target.ts';
import { deleteTarget, isKept, isKeptTarget } from './delete-target.ts';
import { KEPT_AS_REPLACED, KEPT_BY_POLICY, type Kept, whyNotDeleted } from './kept.ts';
import { type LiveTargets, type Owner, otherRelease, readLive } from './ownership.ts';
import { type Target, targetKey, targetText } from './target.ts';

/** Maximum concurrent requests. */
const CONCURRENCY = 8;

export interface ConvergeOptions extends RequestOptions {
  readonly onApplied?: ((target: Target) => void) | undefined;
  readonly onDeleted?: ((target: Target) => void) | undefined;
  /** Called for each object that stays in the cluster. */
  readonly onKept?: ((kept: Kept) => void) | undefined;
  /** Only for `remove`: report what would be deleted and kept, and delete nothing. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Changes the cluster from the objects of one revision to those of the next: applies all of `wanted` in order, the
 * objects of one kind in parallel (`live` holds those already inspected); then deletes what only `before` has, the last
 * kind first.
 * Rejects with the first failure, and starts nothing after it.
 */
export async function converge(
  client: KubeClient,
  before: readonly Target[],
  wanted: readonly Target[],
  live: LiveTargets,
  owner: Owner,
  options: ConvergeOptions,
): Promise<void> {
  for (const kind of byKind(wanted)) {
    await convergeAll(kind, async (target) => {
      const found = live.has(target) ? live.get(target) : await readLive(client, target, options);
      const other = found && otherRelease(found, owner);
      if (other !== undefined) throw takenOver(target, other);
      await applyTarget(client, target, found, options);
      return () => options.onApplied?.(target);
    });
  }
  const kept = new Set(wanted.map(targetKey));
  await remove(
    client,
    before.filter((target) => !kept.has(targetKey(target))),
    owner,
    options,
  );
}

/**
 * Deletes objects of a release, the last kind first. Keeps objects that the resource policy keeps, and objects that are
 * not marked as the release's (`whyNotDeleted`).
 */
export async function remove(
  client: KubeClient,
  targets: readonly Target[],
  owner: Owner,
  options: ConvergeOptions,
): Promise<void> {
  for (const kind of byKind(targets).reverse()) {
    await convergeAll(kind, async (target) => {
      const { isDeleted, why } = await removeOne(client, target, owner, options);
      if (why !== undefined) return () => options.onKept?.({ target, why });
      return () => (isDeleted ? options.onDeleted?.(target) : undefined);
    });
  }
}

/** `why`: the reason the object is kept. */
async function removeOne(
  client: KubeClient,
  target: Target,
  owner: Owner,
  options: ConvergeOptions,
): Promise<{ readonly isDeleted: boolean; readonly why?: KeptReason | undefined }> {
  if (isKeptTarget(target)) return { isDeleted: false, why: KEPT_BY_POLICY };
  const found = await readLive(client, target, options);
  if (found === undefined) return { isDeleted: false };
  const why = isKept(found.metadata.annotations) ? KEPT_BY_POLICY : whyNotDeleted(found, owner);
  if (why !== undefined) return { isDeleted: false, why };
  if (options.dryRun === true) return { isDeleted: true };
  const deletion = await deleteTarget(client, target, found, options);
  return { isDeleted: deletion === 'deleted', why: deletion === 'replaced' ? KEPT_AS_REPLACED : undefined };
}

/** Returns the error for an object that another release took over after the check. */
function takenOver(target: Target, other: OtherRelease): CodedError {
  return helmFailure('not-owned', { of: 'other-release', object: targetText(target), owner: other });
}

/**
 * Splits targets into runs of one kind, in order. If an object occurs twice, its second occurrence starts a new run, so
 * that the later one wins.
 */
function byKind(targets: readonly Target[]): Target[][] {
  const runs: Target[][] = [];
  const seen = new Set<string>();
  for (const target of targets) {
    const last = runs.at(-1);
    const key = targetKey(target);
    if (last?.[0]?.object.kind === target.object.kind && !seen.has(key)) last.push(target);
    else {
      runs.push([target]);
      seen.clear();
    }
    seen.add(key);
  }
  return runs;
}

/**
 * Runs `work` on all targets, some in parallel. After a failure it starts no more, and waits for the running ones. The
 * function that `work` resolves with reports the result; the reports keep the order of the targets.
 */
async function convergeAll(
  targets: readonly Target[],
  work: (target: Target) => Promise<() => void>,
): Promise<void> {
  const reports: (() => void)[] = [];
  let reported = 0;
  try {
    await inParallel(CONCURRENCY, [...targets.entries()], async ([at, target]) => {
      reports[at] = await work(target);
      for (; reports[reported] !== undefined; reported++) reports[reported]?.();
    });
  } finally {
    // Targets after a failed one may have completed.
    for (const report of reports.slice(reported)) report?.();
  }
}
