import type { Warning, Workload } from '../../contract/workload.ts';
import type { LastEvents } from './last-events.ts';
import type { OwnerFacts, PodFacts, WorkloadFacts } from './read-facts.ts';
import { type LastEvent, podRow, type RowEvents, workloadRow } from './workload-row.ts';

/** Kinds whose objects belong to the row of their owner. */
const PARENTS: Readonly<Record<string, { readonly child: string; readonly parent: WorkloadFacts['kind'] }>> =
  {
    Deployment: { child: 'replicasets', parent: 'deployments' },
    CronJob: { child: 'jobs', parent: 'cronjobs' },
  };
/** Kinds of owners whose pods belong to their row. */
const POD_OWNERS: Readonly<Record<string, WorkloadFacts['kind']>> = {
  ReplicaSet: 'replicasets',
  StatefulSet: 'statefulsets',
  DaemonSet: 'daemonsets',
  Job: 'jobs',
};

export interface TableChanges {
  readonly changed: readonly Workload[];
  /** Removed rows with their namespaces. */
  readonly removed: readonly { readonly id: string; readonly namespace: string }[];
}

/**
 * The rows of the home page, updated object by object: a change of a pod only recomputes the row of its workload.
 * `isDenied`: objects of that kind are unreadable there, so nothing can belong to their rows.
 */
export class WorkloadTable {
  readonly #events: LastEvents;
  readonly #now: () => number;
  readonly #isDenied: (kind: WorkloadFacts['kind'], namespace: string) => boolean;
  readonly #objects = new Map<string, WorkloadFacts>();
  readonly #pods = new Map<string, PodFacts>();
  readonly #children = new Map<string, Set<string>>();
  readonly #podsOf = new Map<string, Set<string>>();
  readonly #rows = new Map<string, { readonly row: Workload; readonly text: string }>();
  readonly #podCounts = new Map<string, number>();
  readonly #dirty = new Set<string>();
  #arePodsKnown = false;

  constructor(
    events: LastEvents,
    now: () => number,
    isDenied: (kind: WorkloadFacts['kind'], namespace: string) => boolean,
  ) {
    this.#events = events;
    this.#now = now;
    this.#isDenied = isDenied;
  }

  /** Returns all rows from their last computation. */
  get rows(): Iterable<Workload> {
    return [...this.#rows.values()].map(({ row }) => row);
  }

  /** Marks pods as known: from now on rows show the state of their pods; until then they are marked `isPartial`. */
  setPodsKnown(): void {
    this.#arePodsKnown = true;
    for (const facts of this.#objects.values()) this.#touchObject(facts);
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  /** Counts the pods in namespaces for which the filter holds. */
  pods(isWanted: (namespace: string) => boolean): number {
    let count = 0;
    for (const [namespace, pods] of this.#podCounts) if (isWanted(namespace)) count += pods;
    return count;
  }

  put(facts: WorkloadFacts): void {
    const before = this.#objects.get(facts.uid);
    this.#unlink(this.#children, before);
    if (before !== undefined && before.owner?.uid !== facts.owner?.uid) this.#touchObject(before);
    if (before === undefined || before.owner?.uid !== facts.owner?.uid) this.#touchPodsOf(facts);
    this.#objects.set(facts.uid, facts);
    link(this.#children, facts);
    this.#touchObject(facts);
  }

  remove(uid: string): void {
    const facts = this.#objects.get(uid);
    if (facts === undefined) return;
    this.#objects.delete(uid);
    this.#unlink(this.#children, facts);
    this.#touchObject(facts);
    this.#touchPodsOf(facts);
  }

  putPod(pod: PodFacts): void {
    const before = this.#pods.get(pod.uid);
    if (before === undefined) this.#count(pod.namespace, 1);
    this.#unlink(this.#podsOf, before);
    if (before !== undefined && before.owner?.uid !== pod.owner?.uid) this.#touchPod(before);
    this.#pods.set(pod.uid, pod);
    link(this.#podsOf, pod);
    this.#touchPod(pod);
  }

  removePod(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return;
    this.#pods.delete(uid);
    this.#unlink(this.#podsOf, pod);
    this.#count(pod.namespace, -1);
    this.#touchPod(pod);
  }

  /** Returns the ids of the objects of a kind (or `pods`) in a namespace, or in all. */
  idsOf(kind: WorkloadFacts['kind'] | 'pods', namespace: string | undefined): readonly string[] {
    const all: Iterable<{ readonly uid: string; readonly namespace: string }> =
      kind === 'pods'
        ? this.#pods.values()
        : [...this.#objects.values()].filter((facts) => facts.kind === kind);
    return [...all]
      .filter((one) => namespace === undefined || one.namespace === namespace)
      .map(({ uid }) => uid);
  }

  /** Marks the row of a changed object or pod for recomputation. */
  touch(uid: string): void {
    const pod = this.#pods.get(uid);
    const facts = this.#objects.get(uid);
    if (pod !== undefined) this.#touchPod(pod);
    else if (facts !== undefined) this.#touchObject(facts);
  }

  /** Recomputes everything after a change of permissions. */
  touchAll(): void {
    for (const facts of this.#objects.values()) this.#touchObject(facts);
    for (const pod of this.#pods.values()) this.#touchPod(pod);
  }

  /** Recomputes marked rows; returns those that differ. */
  takeChanges(): TableChanges {
    const changed: Workload[] = [];
    const removed: { readonly id: string; readonly namespace: string }[] = [];
    for (const uid of this.#dirty) {
      const row = this.#compute(uid);
      const before = this.#rows.get(uid);
      if (row === undefined) {
        if (before === undefined) continue;
        this.#rows.delete(uid);
        removed.push({ id: uid, namespace: before.row.namespace });
        continue;
      }
      const text = JSON.stringify(row);
      if (before?.text === text) continue;
      this.#rows.set(uid, { row, text });
      changed.push(row);
    }
    this.#dirty.clear();
    return { changed, removed };
  }

  #compute(uid: string): Workload | undefined {
    const pod = this.#pods.get(uid);
    if (pod !== undefined) return podRow(pod, this.#rowOf(pod), this.#eventsOf([], [pod], pod.isReady));
    const facts = this.#objects.get(uid);
    if (facts === undefined || this.#parentOf(facts) !== undefined) return undefined;
    const children = [...(this.#children.get(uid) ?? [])].flatMap((id) => this.#objects.get(id) ?? []);
    const latest = facts.kind === 'cronjobs' ? latestOf(children) : undefined;
    const owners = facts.kind === 'cronjobs' ? (latest === undefined ? [] : [latest]) : [facts, ...children];
    const pods = owners
      .flatMap((owner) => [...(this.#podsOf.get(owner.uid) ?? [])])
      .flatMap((id) => this.#pods.get(id) ?? []);
    const isReady = pods.length > 0 && pods.every((each) => each.isReady || each.isOver || each.isLeaving);
    const events = this.#eventsOf([facts, ...children], pods, isReady);
    const row = workloadRow(facts, pods, events, latest?.note, this.#now());
    return this.#arePodsKnown ? row : { ...row, isPartial: true };
  }

  /** Returns the last event and the last warning of all of them. A warning is over if its object became ready later. */
  #eventsOf(owners: readonly WorkloadFacts[], pods: readonly PodFacts[], isReady: boolean): RowEvents {
    let lastEvent: LastEvent | undefined;
    let lastWarning: Warning | undefined;
    const warnings: Warning[] = [];
    const take = (uid: string, readyAt: string | undefined) => {
      const event = this.#events.of(uid);
      if (event !== undefined && (lastEvent === undefined || event.at > lastEvent.at)) lastEvent = event;
      const warning = this.#events.warningOf(uid);
      if (warning === undefined) return;
      const found = { ...warning, isOver: readyAt !== undefined && readyAt >= warning.at };
      warnings.push(found);
      if (lastWarning === undefined || precedes(lastWarning, found)) lastWarning = found;
    };
    for (const pod of pods) take(pod.uid, pod.isReady ? pod.readinessAt : undefined);
    const newest = pods
      .flatMap(({ readinessAt }) => readinessAt ?? [])
      .sort()
      .at(-1);
    for (const { uid } of owners) take(uid, isReady ? newest : undefined);
    return {
      lastEvent,
      lastWarning: lastWarning && { ...lastWarning, firstAt: firstOf(lastWarning, warnings) },
    };
  }

  /** Returns the owner whose row an object belongs to. */
  #parentOf({ kind, owner, namespace }: WorkloadFacts): OwnerFacts | undefined {
    const rule = owner === undefined ? undefined : PARENTS[owner.kind];
    return rule?.child === kind && !this.#isDenied(rule.parent, namespace) ? owner : undefined;
  }

  /** Returns the row that a pod belongs to, through its ReplicaSet or Job; undefined for a standalone pod. */
  #rowOf({ owner, namespace }: PodFacts): string | undefined {
    const kind = owner === undefined ? undefined : POD_OWNERS[owner.kind];
    if (owner === undefined || kind === undefined || this.#isDenied(kind, namespace)) return undefined;
    const facts = this.#objects.get(owner.uid);
    return (facts === undefined ? undefined : this.#parentOf(facts)?.uid) ?? owner.uid;
  }

  #touchObject(facts: WorkloadFacts): void {
    this.#dirty.add(facts.uid);
    if (facts.owner !== undefined) this.#dirty.add(facts.owner.uid);
  }

  /** Marks the pods of an owner whose own owner changed or just became known. */
  #touchPodsOf({ uid }: WorkloadFacts): void {
    for (const pod of this.#podsOf.get(uid) ?? []) this.#dirty.add(pod);
  }

  #touchPod(pod: PodFacts): void {
    this.#dirty.add(pod.uid);
    const owner = pod.owner?.uid;
    if (owner === undefined) return;
    this.#dirty.add(owner);
    const above = this.#objects.get(owner)?.owner?.uid;
    if (above !== undefined) this.#dirty.add(above);
  }

  #unlink(index: Map<string, Set<string>>, one: PodFacts | WorkloadFacts | undefined): void {
    const owner = one?.owner?.uid;
    if (one === undefined || owner === undefined) return;
    const members = index.get(owner);
    members?.delete(one.uid);
    if (members?.size === 0) index.delete(owner);
  }

  #count(namespace: string, more: number): void {
    const count = (this.#podCounts.get(namespace) ?? 0) + more;
    if (count > 0) this.#podCounts.set(namespace, count);
    else this.#podCounts.delete(namespace);
  }
}

function link(index: Map<string, Set<string>>, { uid, owner }: PodFacts | WorkloadFacts): void {
  if (owner === undefined) return;
  const members = index.get(owner.uid);
  if (members === undefined) index.set(owner.uid, new Set([uid]));
  else members.add(uid);
}

/** Whether another warning replaces one: current ones come first, then newer ones. */
function precedes(one: Warning, other: Warning): boolean {
  return one.isOver === other.isOver ? other.at > one.at : one.isOver;
}

/** When the same happened first to any object of the workload, as far as the cluster still reports it. */
function firstOf({ reason, isOver, firstAt }: Warning, warnings: readonly Warning[]): string {
  const same = warnings.filter((each) => each.reason === reason && each.isOver === isOver);
  return same.reduce((first, each) => (each.firstAt < first ? each.firstAt : first), firstAt);
}

function latestOf(jobs: readonly WorkloadFacts[]): WorkloadFacts | undefined {
  let latest: WorkloadFacts | undefined;
  for (const job of jobs) if (latest === undefined || job.createdAt > latest.createdAt) latest = job;
  return latest;
}
