import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type ContainerLog, containerLog } from './container-log.ts';
import { PROCESSES, parseVersion, type Version, versionText } from './resource-version.ts';
import { type RunFacts, runKey } from './run-facts.ts';

/** One change of the list. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ContainerLog;
  readonly atMs: number;
}

export interface RunListOptions {
  readonly clock: Clock;
  /** Source of the number of this process, 0 to 1; default Math.random. */
  readonly random?: () => number;
  /** Number of changes that are kept for watches. */
  readonly maxChanges?: number;
}

const MAX_CHANGES = 20_000;
/** Clocks of two replicas may differ by this, and what an agent sends to one may reach the other so much later. */
const REPLICA_MS = 5000;

/** The runs of all nodes, merged, with their latest changes for those that watch. */
export class RunList {
  readonly #clock: Clock;
  readonly #process: number;
  readonly #maxChanges: number;
  /** By node, then by the run's key. */
  readonly #nodes = new Map<string, Map<string, ContainerLog>>();
  #changes: Change[] = [];
  /** Changes up to this time are not known any more, or were before this process. */
  #forgottenMs: number;
  /** Of the last version that anybody has seen: the next change is later. */
  #lastMs: number;
  #changedMs: number;
  readonly #waiting = new Set<() => void>();

  constructor({ clock, random = Math.random, maxChanges = MAX_CHANGES }: RunListOptions) {
    this.#clock = clock;
    this.#process = Math.floor(random() * PROCESSES);
    this.#maxChanges = maxChanges;
    this.#lastMs = clock.now();
    this.#changedMs = this.#lastMs;
    this.#forgottenMs = this.#lastMs;
  }

  /**
   * The version of the list as it is now. It is that of this moment, not of the last change: another replica has
   * forgotten that of a list in which nothing has changed for long.
   */
  get version(): string {
    this.#lastMs = Math.max(this.#clock.now(), this.#lastMs);
    return this.#text(this.#lastMs);
  }

  /** When the list has changed, in ms since the epoch. */
  get changedMs(): number {
    return this.#changedMs;
  }

  all(): readonly ContainerLog[] {
    return [...this.#nodes.values()].flatMap((runs) => [...runs.values()]);
  }

  /** Replaces all runs of a node; only those that differ are changes. */
  replaceNode(node: string, runs: readonly RunFacts[]): void {
    const keys = new Set(runs.map(runKey));
    const gone = [...(this.#nodes.get(node)?.keys() ?? [])].filter((key) => !keys.has(key));
    this.changeNode(node, runs, gone);
  }

  /** Applies changes of a node: runs that are new or differ, and the keys of runs that are gone. */
  changeNode(node: string, changed: readonly RunFacts[], gone: readonly string[]): void {
    const runs = this.#nodes.get(node) ?? new Map<string, ContainerLog>();
    this.#nodes.set(node, runs);
    const before = this.#changedMs;
    for (const key of gone) this.#remove(runs, key);
    for (const facts of changed) this.#put(node, runs, facts);
    if (this.#changedMs !== before) this.#wake();
  }

  /** Removes a node that has no agent any more, with its runs. */
  removeNode(node: string): void {
    this.replaceNode(node, []);
    this.#nodes.delete(node);
  }

  /**
   * Returns from when on the changes follow a version, in ms; undefined if some of them are not known any more. Of the
   * version of another replica, changes shortly before it come again: its clock may differ.
   */
  sinceVersion(text: string): number | 'invalid' | undefined {
    const version: Version | undefined = parseVersion(text);
    if (version === undefined) return 'invalid';
    const { atMs, process } = version;
    const fromMs = process === this.#process ? atMs : atMs - REPLICA_MS;
    return fromMs < this.#forgottenMs ? undefined : fromMs;
  }

  /** Returns the changes after a time; undefined if some of them are not known any more. */
  changesAfter(atMs: number): readonly Change[] | undefined {
    if (atMs < this.#forgottenMs) return undefined;
    // They are few and at the end.
    let from = this.#changes.length;
    while (from > 0 && this.#changes[from - 1]!.atMs > atMs) from--;
    return this.#changes.slice(from);
  }

  /** Calls back once at the next change, unless it is cancelled before. */
  onceChanged(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => void this.#waiting.delete(callback);
  }

  #put(node: string, runs: Map<string, ContainerLog>, facts: RunFacts): void {
    const key = runKey(facts);
    const before = runs.get(key);
    const same =
      before === undefined ? undefined : containerLog(node, facts, before.metadata.resourceVersion);
    if (same !== undefined && JSON.stringify(same) === JSON.stringify(before)) return;
    const atMs = this.#tick();
    const object = containerLog(node, facts, this.#text(atMs));
    runs.set(key, object);
    this.#record({ type: before === undefined ? 'ADDED' : 'MODIFIED', object, atMs });
  }

  #remove(runs: Map<string, ContainerLog>, key: string): void {
    const before = runs.get(key);
    if (before === undefined) return;
    runs.delete(key);
    const atMs = this.#tick();
    const metadata = { ...before.metadata, resourceVersion: this.#text(atMs) };
    this.#record({ type: 'DELETED', object: { ...before, metadata }, atMs });
  }

  #tick(): number {
    this.#lastMs = Math.max(this.#clock.now(), this.#lastMs + 1);
    this.#changedMs = this.#lastMs;
    return this.#lastMs;
  }

  #record(change: Change): void {
    this.#changes.push(change);
    // Half at once, so that it costs little.
    if (this.#changes.length <= this.#maxChanges) return;
    const dropped = this.#changes.splice(0, Math.ceil(this.#maxChanges / 2));
    this.#forgottenMs = dropped.at(-1)!.atMs;
  }

  #text(atMs: number): string {
    return versionText({ atMs, process: this.#process });
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const callback of waiting) callback();
  }
}
