import { NAMESPACES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ReflectorEvent, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { type Glob, globMatches } from '../../domain/glob.ts';
import type { ResolveContext } from '../context.ts';
import { describeNamespace } from '../explain/describe-missing.ts';
import { explainEmpty } from '../explain/explain-empty.ts';
import { observeAloud } from '../observe/observe-reporting.ts';
import { findKind } from '../sources/find-kind.ts';
import type { SourceGroup } from '../sources/source-group.ts';
import { NamespaceRuns } from './namespace-runs.ts';
import { SourceTracker } from './source-tracker.ts';

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
  const type = await findKind(client, spec, signal, {
    confinedTo: plan.confinedTo,
    suggestions: context.suggestions,
  });
  const glob = spec.namespace;
  if (glob === undefined || glob.literal) return runNamed(context, group, type, callbacks);
  callbacks.onOpen(true);
  if (glob.all) await runEverywhere(context, group, type, callbacks);
  else await runMatching(context, group, type, callbacks);
}

/** Runs in the namespace that the source names, or in those of the plan. */
async function runNamed(
  context: ResolveContext,
  group: SourceGroup,
  type: ResourceType,
  callbacks: GroupCallbacks,
): Promise<void> {
  const { client, plan } = context;
  const wanted = group.specs[0].namespace;
  const [first = client.cluster.namespace, ...others] =
    wanted === undefined ? (plan.namespaces ?? []) : [wanted.text];
  if (others.length > 0 && type.namespaced)
    await runListed(context, group, type, [first, ...others], callbacks);
  else await runOne(context, group, type, first, callbacks);
}

/** Runs in the namespaces whose names match. */
async function runMatching(
  context: ResolveContext,
  group: SourceGroup,
  type: ResourceType,
  callbacks: GroupCallbacks,
): Promise<void> {
  try {
    await runNamespaces(context, group, type, callbacks);
  } catch (error) {
    if (!isKubeError(error, 'forbidden')) throw error;
    // Without permission to list namespaces, read all pods of the cluster: each names its namespace.
    await runOne(context, group, type, undefined, callbacks);
  }
}

/** Runs in all namespaces at once, or, if that is not permitted, in each that may be listed. */
async function runEverywhere(
  context: ResolveContext,
  group: SourceGroup,
  type: ResourceType,
  callbacks: GroupCallbacks,
): Promise<void> {
  try {
    await runOne(context, group, type, undefined, callbacks);
  } catch (error) {
    if (!isKubeError(error, 'forbidden')) throw error;
    try {
      await runNamespaces(context, group, type, callbacks);
    } catch (second) {
      // The error names the permission to ask for: reading all namespaces at once.
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
  const endRead = await context.reads.begin();
  const tracker = new SourceTracker(context, {
    group,
    type,
    namespace,
    signal: context.signal,
    onOpen: callbacks.onOpen,
    onSynced: async (tally) => {
      await explainEmpty(context, group, type, namespace, tally);
      endRead();
      callbacks.onSynced();
    },
  });
  try {
    await tracker.run();
  } catch (error) {
    tracker.release();
    throw error;
  } finally {
    endRead();
  }
}

/** Runs one tracker for each namespace whose name matches, including later ones. */
async function runNamespaces(
  context: ResolveContext,
  group: SourceGroup,
  type: ResourceType,
  callbacks: GroupCallbacks,
): Promise<void> {
  const [spec] = group.specs;
  const runs = new NamespaceRuns(context, group, type);
  let isFirst = true;
  const namespaces = { type: NAMESPACES, namespace: undefined, metadataOnly: true };
  for await (const event of observeAloud(context, namespaces, runs.signal)) {
    const matching = matchingNames(event, spec.namespace);
    stopLeaving(runs, event, matching);
    if (event.type === 'deleted') continue;
    const starts = matching.filter((name) => !runs.has(name)).map((name) => runs.start(name));
    if (!isFirst) continue;
    isFirst = false;
    await Promise.all(starts);
    runs.check(matching.length);
    await explainEmpty(context, group, type, undefined, runs.sum);
    callbacks.onSynced();
  }
  await runs.ended();
}

type NamespaceEvent = Exclude<ReflectorEvent<KubeObject>, { readonly type: 'state' }>;

/** Returns the namespaces of an event whose names match. */
function matchingNames(event: NamespaceEvent, wanted: Glob | undefined): readonly string[] {
  const namespaces = event.type === 'snapshot' ? event.objects : [event.object];
  return namespaces
    .map(({ metadata }) => metadata.name)
    .filter((name) => wanted !== undefined && globMatches(wanted, name));
}

/** Stops the trackers of the namespaces that are gone. */
function stopLeaving(runs: NamespaceRuns, event: NamespaceEvent, matching: readonly string[]): void {
  for (const name of goneOf(runs, event, matching)) runs.stop(name);
}

function goneOf(runs: NamespaceRuns, event: NamespaceEvent, matching: readonly string[]): readonly string[] {
  switch (event.type) {
    case 'snapshot':
      return [...runs.names].filter((name) => !matching.includes(name));
    case 'deleted':
      return matching;
    case 'changed':
      return [];
  }
}

/** Runs one tracker for each namespace that the plan lists: the source may be in only some of them. */
async function runListed(
  context: ResolveContext,
  group: SourceGroup,
  type: ResourceType,
  namespaces: readonly string[],
  callbacks: GroupCallbacks,
): Promise<void> {
  const runs = new NamespaceRuns(context, group, type, callbacks.onOpen);
  await Promise.all(namespaces.map((name) => runs.start(name)));
  try {
    runs.check(namespaces.length);
    for (const name of runs.empty) {
      const absent = await describeNamespace(context, name, { lacks: 'logs' });
      if (absent !== undefined && runs.empty.length === namespaces.length && !context.follow) throw absent;
      if (absent !== undefined) context.notice({ code: 'namespace-not-found', data: { namespace: name } });
    }
    await explainEmpty(context, group, type, undefined, runs.sum);
  } catch (error) {
    for (const name of namespaces) runs.stop(name);
    throw error;
  }
  callbacks.onSynced();
  await runs.ended();
}
