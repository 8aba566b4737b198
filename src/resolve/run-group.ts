import { globMatches } from '../domain/glob.ts';
import { NAMESPACES } from '../kube/builtin-resources.ts';
import type { ResourceType } from '../kube/client.ts';
import { isKubeError } from '../kube/errors.ts';
import { describeKubeError } from '../kube/failure/describe.ts';
import type { ResolveContext } from './context.ts';
import { explainEmpty } from './explain-empty.ts';
import { findKind } from './find-kind.ts';
import { observeAloud } from './observe-aloud.ts';
import type { SourceGroup } from './source-group.ts';
import { SourceTracker } from './source-tracker.ts';
import { addTally, emptyTally, type Tally } from './tally.ts';

export interface GroupCallbacks {
  readonly onSynced: () => void;
  readonly onOpen: (open: boolean) => void;
}

/** Runs one source to its end (never, while following). Throws what ends it. */
export async function runGroup(
  context: ResolveContext,
  group: SourceGroup,
  callbacks: GroupCallbacks,
): Promise<void> {
  const { client, plan, signal } = context;
  const [spec] = group.specs;
  const type = await findKind(client, spec, signal);
  const glob = spec.namespace;
  if (glob === undefined || glob.literal) {
    const namespace = glob?.text ?? plan.namespace ?? client.cluster.namespace;
    await runOne(context, group, type, namespace, callbacks);
    return;
  }
  callbacks.onOpen(true);
  if (!glob.all) {
    try {
      await runNamespaces(context, group, type, callbacks);
      return;
    } catch (error) {
      if (!isKubeError(error, 'forbidden')) throw error;
      // Without the right to list namespaces, all pods of the cluster tell theirs.
    }
    await runOne(context, group, type, undefined, callbacks);
    return;
  }
  try {
    await runOne(context, group, type, undefined, callbacks);
  } catch (error) {
    if (!isKubeError(error, 'forbidden')) throw error;
    try {
      await runNamespaces(context, group, type, callbacks);
    } catch (second) {
      // The right to look everywhere at once is the one to ask for.
      throw isKubeError(second, 'forbidden') ? error : second;
    }
  }
}

async function runOne(
  context: ResolveContext,
  group: SourceGroup,
  type: ResourceType,
  namespace: string | undefined,
  callbacks: GroupCallbacks,
): Promise<void> {
  const tracker = new SourceTracker(context, {
    group,
    type,
    namespace,
    signal: context.signal,
    onOpen: callbacks.onOpen,
    onSynced: async (tally) => {
      await explainEmpty(context, group, type, namespace, tally);
      callbacks.onSynced();
    },
  });
  try {
    await tracker.run();
  } catch (error) {
    tracker.release();
    throw error;
  }
}

/** One tracker for each namespace whose name matches, also for those that come later. */
async function runNamespaces(
  context: ResolveContext,
  group: SourceGroup,
  type: ResourceType,
  callbacks: GroupCallbacks,
): Promise<void> {
  const { client, notice } = context;
  const [spec] = group.specs;
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  const running = new Map<string, { readonly abort: AbortController; readonly run: Promise<void> }>();
  const sum = emptyTally(group.specs.length);
  const refused: unknown[] = [];
  let fault: unknown;

  const start = (namespace: string): Promise<void> => {
    const abort = new AbortController();
    let synced: () => void = () => {};
    const first = new Promise<void>((resolve) => {
      synced = resolve;
    });
    const tracker = new SourceTracker(context, {
      group,
      type,
      namespace,
      signal: AbortSignal.any([signal, abort.signal]),
      onOpen: () => {},
      onSynced: async (tally: Tally) => {
        addTally(sum, tally);
        synced();
      },
    });
    const run = tracker.run().catch((error: unknown) => {
      tracker.release();
      if (abort.signal.aborted || signal.aborted) return;
      if (isKubeError(error, 'forbidden')) {
        refused.push(error);
        const { what } = describeKubeError(error, client.cluster);
        notice('namespace-forbidden', `namespace "${namespace}" is left out: ${what}`);
      } else {
        fault ??= error;
        failure.abort();
      }
    });
    running.set(namespace, { abort, run: run.then(synced, synced) });
    abort.signal.addEventListener('abort', () => tracker.release(), { once: true });
    return first;
  };

  let isFirst = true;
  const namespaces = { type: NAMESPACES, namespace: undefined, metadataOnly: true };
  for await (const event of observeAloud(context, namespaces, signal)) {
    const names = event.type === 'snapshot' ? event.objects : [event.object];
    const matching = names
      .map(({ metadata }) => metadata.name)
      .filter((name) => spec.namespace !== undefined && globMatches(spec.namespace, name));
    if (event.type === 'snapshot') {
      for (const name of running.keys()) if (!matching.includes(name)) stop(running, name);
    }
    if (event.type === 'deleted') {
      for (const name of matching) stop(running, name);
      continue;
    }
    const starts = matching.filter((name) => !running.has(name)).map(start);
    if (!isFirst) continue;
    isFirst = false;
    await Promise.all(starts);
    if (fault !== undefined) throw fault;
    if (refused.length > 0 && refused.length === matching.length) throw refused[0];
    await explainEmpty(context, group, type, undefined, sum);
    callbacks.onSynced();
  }
  await Promise.all([...running.values()].map(({ run }) => run));
  if (fault !== undefined) throw fault;
}

function stop(running: Map<string, { readonly abort: AbortController }>, namespace: string): void {
  running.get(namespace)?.abort.abort();
  running.delete(namespace);
}
