import { JOBS, REPLICA_SETS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import type { FactSubject } from '../domain/facts/fact.ts';
import { readSelector, selectorText } from '../resolve/sources/label-selector.ts';
import { type FactContext, reportUnreadable } from './fact-context.ts';
import { endOfRollout, factsOfConditions, factsOfPause, factsOfRevisions } from './facts-of-workload.ts';
import { childrenOf, isCronJob, workloadOfKind, workloadType } from './resources.ts';

/** Maximum concurrent requests. */
const MAX_REQUESTS = 8;
/** For more objects of one kind in one namespace than this, one list reads them. */
const LIST_ABOVE = 3;

interface Workload {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

/** Workloads in view: their conditions and revisions. Reads each once for each change. */
export class WorkloadReader {
  readonly #context: FactContext;
  /** The state of each workload when its revisions were last read, by its UID. */
  readonly #states = new Map<string, string>();
  readonly #refused = new Set<string>();
  #waiting: Workload[] = [];
  /** Owners to read, by UID. */
  #owners = new Map<
    string,
    { readonly type: ResourceType; readonly namespace: string; readonly name: string }
  >();
  readonly #known = new Set<string>();
  /** UIDs of workloads that a source names, and of what they own: all their pods are in view. */
  readonly #named = new Set<string>();

  constructor(context: FactContext) {
    this.#context = context;
  }

  /** Takes a workload that a source names, in its current state. */
  seeNamed(type: ResourceType, object: KubeObject): void {
    this.#named.add(object.metadata.uid);
    this.#see(type, object);
  }

  #see(type: ResourceType, object: KubeObject): void {
    const { uid, namespace = '', name } = object.metadata;
    if (this.#named.has(uid)) this.#context.scope.addOwner(type.kind, namespace, name);
    this.#context.scope.addWorkload(type.kind, object);
    this.#known.add(uid);
    this.#owners.delete(uid);
    this.#context.give([...factsOfConditions(type.kind, object), ...factsOfPause(type.kind, object)]);
    this.#seeOwners(object);
    // Other Jobs of a CronJob than those in view matter only if a source names it.
    const hasChildren = childrenOf(type) !== undefined && (!isCronJob(type) || this.#named.has(uid));
    if (hasChildren && this.#states.get(uid) !== stateOf(type.kind, object))
      this.#waiting.push({ type, object });
  }

  /** Takes the owners of an object; `learn` reads new ones. */
  seeOwned(object: KubeObject): void {
    this.#seeOwners(object);
  }

  /** Takes a workload that events are about, and that has no pods in view; `learn` reads it. */
  seeReported({ kind, namespace, name, uid }: FactSubject): void {
    const type = workloadOfKind(kind);
    if (type === undefined || this.#known.has(uid)) return;
    this.#known.add(uid);
    this.#named.add(uid);
    this.#owners.set(uid, { type, namespace, name });
  }

  /** Whether something remains to be read. */
  get hasUnread(): boolean {
    return this.#waiting.length > 0 || this.#owners.size > 0;
  }

  /** Reads unknown owners, revisions, and Jobs of CronJobs. */
  async learn(): Promise<void> {
    while (this.hasUnread) {
      // The revisions of a Deployment are the owners of its pods.
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const group of groupsOf(
        waiting,
        ({ type, object }) => `${type.kind} ${object.metadata.namespace}`,
      ))
        await this.#readRevisions(group);
      const owners = [...this.#owners.values()];
      this.#owners = new Map();
      await this.#readOwners(owners);
    }
  }

  #seeOwners({ metadata }: KubeObject): void {
    for (const { uid, kind, apiVersion, name } of metadata.ownerReferences ?? []) {
      this.#context.scope.addUid(uid);
      const type = workloadType(kind, apiVersion);
      if (type === undefined || this.#known.has(uid)) continue;
      this.#known.add(uid);
      this.#owners.set(uid, { type, namespace: metadata.namespace ?? '', name });
    }
  }

  async #readOwners(
    owners: readonly { readonly type: ResourceType; readonly namespace: string; readonly name: string }[],
  ): Promise<void> {
    for (const group of groupsOf(owners, ({ type, namespace }) => `${type.kind} ${namespace}`)) {
      const [{ type, namespace }] = group;
      const names = new Set(group.map(({ name }) => name));
      await this.#reading(type, namespace, async () => {
        const objects =
          names.size > LIST_ABOVE
            ? await this.#list(type, namespace)
            : await this.#get(type, namespace, names);
        for (const object of objects) if (names.has(object.metadata.name)) this.#see(type, object);
      });
    }
  }

  async #get(
    type: ResourceType,
    namespace: string,
    names: ReadonlySet<string>,
  ): Promise<readonly KubeObject[]> {
    const { client, signal } = this.#context;
    const found = await inParallel(MAX_REQUESTS, [...names], async (name) => {
      try {
        return [await client.get<KubeObject>(type, { namespace, name }, { signal })];
      } catch (error) {
        // Deleted since its pod was read.
        if (!isKubeError(error, 'not-found')) throw error;
        return [];
      }
    });
    return found.flat();
  }

  async #list(type: ResourceType, namespace: string, labelSelector?: string): Promise<readonly KubeObject[]> {
    const { client, signal } = this.#context;
    const objects: KubeObject[] = [];
    for await (const page of client.list<KubeObject>(type, { namespace, labelSelector }, { signal }))
      objects.push(...page.items);
    return objects;
  }

  /** Reads the revisions of workloads of one kind in one namespace. */
  async #readRevisions(group: readonly [Workload, ...Workload[]]): Promise<void> {
    const [{ type, object }] = group;
    const children = childrenOf(type);
    const namespace = object.metadata.namespace ?? '';
    if (children === undefined) return;
    await this.#reading(children, namespace, async () => {
      const ofAll = group.length > LIST_ABOVE ? await this.#list(children, namespace) : undefined;
      await inParallel(MAX_REQUESTS, group, async (workload) => {
        const listed = ofAll ?? (await this.#list(children, namespace, selectorOf(workload.object)));
        this.#takeRevisions(workload, children, listed);
      });
    });
  }

  #takeRevisions({ type, object }: Workload, children: ResourceType, listed: readonly KubeObject[]): void {
    const { uid } = object.metadata;
    const owned = listed.filter(({ metadata }) =>
      metadata.ownerReferences?.some((owner) => owner.uid === uid),
    );
    for (const child of owned) {
      this.#known.add(child.metadata.uid);
      this.#owners.delete(child.metadata.uid);
      this.#context.scope.addUid(child.metadata.uid);
      this.#nameChild(uid, children, child);
      if (children === REPLICA_SETS) this.#context.give(factsOfConditions(children.kind, child));
      if (children === JOBS) this.#see(children, child);
    }
    this.#states.set(uid, stateOf(type.kind, object));
    this.#context.give(factsOfRevisions(type.kind, object, owned));
  }

  #nameChild(
    owner: string,
    { kind }: ResourceType,
    { metadata: { uid, namespace = '', name } }: KubeObject,
  ): void {
    if (!this.#named.has(owner)) return;
    this.#named.add(uid);
    this.#context.scope.addOwner(kind, namespace, name);
  }

  /** Reads a kind in a namespace. After one refusal, does not try again. */
  async #reading(type: ResourceType, namespace: string, read: () => Promise<void>): Promise<void> {
    const right = `${type.plural} ${namespace}`;
    if (this.#refused.has(right)) return;
    try {
      await read();
    } catch (error) {
      this.#refused.add(right);
      reportUnreadable(this.#context, 'workloads', namespace, error);
    }
  }
}

/**
 * Returns what changes with each rollout, and with its end: the generation grows with every change of the
 * spec; of a CronJob, what changes with each of its Jobs.
 */
function stateOf(kind: string, object: KubeObject): string {
  const { metadata } = object;
  const { generation } = metadata as { readonly generation?: unknown };
  const revision = metadata.annotations?.['deployment.kubernetes.io/revision'] ?? '';
  const status = asRecord((object as KubeObject & { readonly status?: unknown }).status);
  const runs = [status?.active, status?.lastScheduleTime, status?.lastSuccessfulTime];
  return `${String(generation)} ${revision} ${JSON.stringify([endOfRollout(kind, object), ...runs])}`;
}

function selectorOf(object: KubeObject): string | undefined {
  const spec = asRecord((object as KubeObject & { readonly spec?: unknown }).spec);
  return selectorText(readSelector(spec?.selector) ?? []) || undefined;
}

type Group<T> = readonly [T, ...T[]];

function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): readonly Group<T>[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
