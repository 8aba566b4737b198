import type { KubeClient } from '@logtool/kube/src/client.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import type { Coded, CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { ResolveEvent } from '../domain/resolve-event.ts';
import type { Notice, ResolveContext } from './context.ts';
import { NodeLabels } from './placement/node-labels.ts';
import type { Resolve, SourcePlan } from './resolve.ts';
import { readSources } from './sources/read-sources.ts';
import { groupSources, type SourceGroup } from './sources/source-group.ts';
import { Suggestions } from './sources/suggestions.ts';
import { EventQueue } from './track/event-queue.ts';
import { FirstReads } from './track/first-reads.ts';
import { OwnerTree } from './track/owner-tree.ts';
import { runGroup } from './track/run-group.ts';
import { type OnClaims, TargetSet } from './track/target-set.ts';

/** See `Resolve`. Throws usage errors of the plan. Reports every other failure as an event. */
export const resolveSources: Resolve = (client, plan, options) => run(client, plan, options);

async function* run(
  client: KubeClient,
  plan: SourcePlan,
  options: Parameters<Resolve>[2] & { readonly clock?: Clock },
): AsyncGenerator<ResolveEvent> {
  const { specs, selector } = readSources(plan);
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const queue = new EventQueue();
  const groups = groupSources(specs);
  const progress = new Progress(groups, queue, options.onClaims);
  const shared = {
    client,
    plan,
    selector,
    follow: options.follow,
    signal,
    clock: options.clock ?? systemClock,
    targets: progress.targets,
    owners: new OwnerTree(client, signal),
    nodes: new NodeLabels(client, signal),
    reads: new FirstReads(signal),
    suggestions: new Suggestions(groups.length),
    notice: progress.notice,
    onObject: options.onObject,
  };
  const runs = groups.map((group) => runToEnd(shared, group, progress));
  void Promise.all(runs).then(() => queue.end());
  try {
    yield* queue.read();
  } finally {
    stop.abort();
    await Promise.all(runs);
  }
}

/** Never rejects: reports what ends a source as an event. */
async function runToEnd(
  shared: Omit<ResolveContext, 'failed'>,
  group: SourceGroup,
  progress: Progress,
): Promise<void> {
  const failed = (error: CodedError) => progress.fail(group, error);
  try {
    await runGroup({ ...shared, failed }, group, {
      onSynced: () => progress.synced(group),
      onOpen: (open) => progress.setOpen(group, open),
    });
  } catch (error) {
    if (shared.signal.aborted) return;
    progress.setOpen(group, false);
    failed(describeKubeError(error, shared.client.cluster));
  }
  if (!shared.signal.aborted) progress.synced(group);
}

function aboutOf({ data }: Coded, cause: CodedError | undefined): string {
  return `${JSON.stringify(data)} ${cause?.message}`;
}

/** The notices that each notice code ends. */
const ENDED_BY: ReadonlyMap<string, readonly string[]> = new Map([
  ['live', ['retrying']],
  ['retrying', ['live']],
  ['cluster-back', ['cluster-away', 'cluster-refuses']],
  ['cluster-away', ['cluster-back']],
  ['cluster-refuses', ['cluster-back']],
]);

/**
 * Holds everything back until the last source has had its first read, so that the first events have a fixed order:
 * errors and notices by argument, then containers by namespace and pod, then `synced`.
 */
class Progress {
  readonly targets: TargetSet;
  readonly #queue: EventQueue;
  readonly #waiting: Set<SourceGroup>;
  readonly #open = new Map<SourceGroup, boolean>();
  readonly #reported = new Set<string>();
  #early: { readonly index: number; readonly event: ResolveEvent }[] = [];
  #wasOpen = false;

  constructor(groups: readonly SourceGroup[], queue: EventQueue, onClaims: OnClaims | undefined) {
    this.#queue = queue;
    this.#waiting = new Set(groups);
    this.targets = new TargetSet((event) => queue.push(event), onClaims);
  }

  readonly notice: Notice = (notice, { cause, about = aboutOf(notice, cause) } = {}) => {
    const { code } = notice;
    // Report an outage again when it recurs.
    for (const other of ENDED_BY.get(code) ?? [])
      for (const key of this.#reported) if (key.startsWith(`${other} `)) this.#reported.delete(key);
    const key = `${code} ${about}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#report(-1, { type: 'notice', ...notice, ...(cause === undefined ? {} : { cause }) });
  };

  fail(group: SourceGroup, error: CodedError): void {
    this.#report(group.index, { type: 'failed', error });
  }

  setOpen(group: SourceGroup, open: boolean): void {
    this.#open.set(group, open);
    if (this.#waiting.size > 0 || this.#isOpen() === this.#wasOpen) return;
    this.#wasOpen = this.#isOpen();
    this.#queue.push({ type: 'closing', open: this.#wasOpen });
  }

  synced(group: SourceGroup): void {
    if (!this.#waiting.delete(group) || this.#waiting.size > 0) return;
    const early = this.#early.sort((a, b) => a.index - b.index);
    this.#early = [];
    for (const { event } of early) this.#queue.push(event);
    this.targets.start();
    this.#wasOpen = this.#isOpen();
    this.#queue.push({ type: 'synced', open: this.#wasOpen });
  }

  #isOpen(): boolean {
    return [...this.#open.values()].some(Boolean);
  }

  #report(index: number, event: ResolveEvent): void {
    if (this.#waiting.size > 0) this.#early.push({ index, event });
    else this.#queue.push(event);
  }
}
