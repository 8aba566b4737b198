import { type Timestamp, timestampFromMs, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import {
  type FakeCluster,
  type FakeContainer,
  type FakePod,
  type FakeRun,
  newRun,
} from '../../support/engine/fake-cluster.ts';
import {
  type Every,
  entriesOf,
  START_MS,
  type WrittenLog,
  type WrittenRecord,
  writtenBy,
} from './written-records.ts';

/** What the node no longer has of a container's log when the view opens. */
export interface LostLog {
  /** Percentage of its records that an earlier run wrote. */
  readonly earlier: number;
  /** Number of still earlier runs. The node no longer has them, nor the earlier run if `isEarlierGone`. */
  readonly gone: number;
  readonly isEarlierGone: boolean;
  /** Percentage of the records of the current run that were rotated away. */
  readonly rotated: number;
  /** Whether the current run has ended, and the next one waits to begin. */
  readonly isBetween: boolean;
}

/** Percentage of the records that each run wrote that is gone. */
const GONE_SHARE = 8;
/**
 * The log API reports no rotation. It shows if the first record of a log is written this long after the start of its run
 * (LATE_SECONDS of domain/coverage/lost.ts), or if somebody has read what came before.
 */
const LATE_MS = 601_000;

export type Loss = 'deleted' | 'gone' | 'rotated';

interface Written {
  readonly pod: FakePod;
  readonly run: FakeRun;
  /** Of its first entry, among those of the run. */
  readonly index: number;
}

/** The logs as they are on the nodes: which records can be read now, and why others cannot. */
export class Disk {
  readonly #cluster: FakeCluster;
  readonly #pods: FakePod[] = [];
  /** By WrittenRecord.number. A log is rotated between records: all lines of a record are lost, or none. */
  readonly #written = new Map<number, Written>();
  /** Numbers of the records that were lost before a page could read them. */
  readonly #unseen = new Set<number>();

  constructor(cluster: FakeCluster) {
    this.#cluster = cluster;
  }

  /** Adds a pod with what its container has written so far; returns its records, also lost ones. */
  add(shape: WrittenLog & LostLog & Every, nextNumber: () => number): readonly WrittenRecord[] {
    const name = `web-${this.#pods.length}`;
    const { gone, earlier, rotated } = shape;
    const written = writtenBy(this.#pods.length, shape, nextNumber);
    const shares = [...Array.from({ length: gone }, () => GONE_SHARE), earlier];
    const pod = this.#cluster.addPod(name);
    const runs: FakeRun[] = [];
    let rest = written;
    for (const share of shares) {
      const cut = Math.floor((written.length * share) / 100);
      if (cut > 0) runs.push(this.#runOf(pod, runId(name, runs.length), rest.slice(0, cut)));
      rest = rest.slice(cut);
    }
    for (const [index, run] of runs.entries()) {
      run.ended = true;
      run.removed = index < runs.length - (shape.isEarlierGone ? 0 : 1);
    }
    const lost = Math.min(rest.length - 1, Math.floor((rest.length * rotated) / 100));
    const records = lost > 0 ? pausedAt(rest, lost) : rest;
    const current = this.#runOf(pod, runId(name, runs.length), records);
    if (lost > 0) current.rotated = this.#written.get(records[lost]!.number)!.index;
    const lastMs = Math.max(START_MS, ...written.map(({ lines }) => timestampToMs(lines.at(-1)!.at)));
    if (records.length === 0) current.startedAt = timestampFromMs(lastMs);
    const container = this.#cluster.addContainer(pod, 'main', [...runs, current]);
    if (shape.isBetween) this.#end(container);
    this.#pods.push(pod);
    const all = [...written.slice(0, written.length - rest.length), ...records];
    for (const record of all) if (this.isLost(record)) this.#unseen.add(record.number);
    return all;
  }

  get pods(): number {
    return this.#pods.length;
  }

  isDeleted(pod: number): boolean {
    return this.#pods[pod]?.deleted === true;
  }

  /** Whether nobody can read the record any more. */
  isLost({ number }: WrittenRecord): boolean {
    const at = this.#written.get(number);
    return at === undefined || at.pod.deleted || at.run.removed || at.index < at.run.rotated;
  }

  /** Whether the record was lost before a page could read it. */
  isUnseen({ number }: WrittenRecord): boolean {
    return this.#unseen.has(number);
  }

  /** Ends the open connections to the log of a container. */
  cut(pod: number): void {
    this.#cluster.cut(this.#containerOf(pod));
  }

  /**
   * Why a record is lost: its run is gone, its file was rotated away, or its pod was deleted. A run that is gone may have
   * been rotated before: whoever learned of that names it.
   */
  lossesOf(record: WrittenRecord): readonly Loss[] {
    const at = this.#written.get(record.number);
    if (at === undefined || !this.isLost(record)) return [];
    const losses: Loss[] = [];
    if (at.run.removed) losses.push('gone');
    if (at.index < at.run.rotated) losses.push('rotated');
    return losses.length > 0 ? losses : ['deleted'];
  }

  /** Makes a container write a record; undefined: it does not run. */
  write(pod: number, record: WrittenRecord): void {
    const container = this.#containerOf(pod);
    const run = container.runs.at(-1)!;
    this.#written.set(record.number, { pod: this.#pods[pod]!, run, index: run.entries.length });
    for (const entry of entriesOf(record)) this.#cluster.write(container, entry);
  }

  /** Whether the container of a pod runs now. */
  isRunning(pod: number): boolean {
    return !this.isDeleted(pod) && this.#containerOf(pod).state === 'running';
  }

  /**
   * Rotates the log of a container: records that were written until a late enough one are lost. Returns false if there
   * is none: nothing would show it.
   */
  rotate(pod: number, share: number): boolean {
    const run = this.#containerOf(pod).runs.at(-1)!;
    const startMs = msOf(run.startedAt ?? run.entries[0]?.at);
    const late = [...this.#written.values()]
      .filter((at) => at.run === run && at.index > run.rotated)
      .map(({ index }) => index)
      .filter((index) => msOf(run.entries[index]?.at) - startMs > LATE_MS)
      .sort((a, b) => a - b);
    const first = late[Math.floor(share * (late.length - 1))];
    if (first === undefined || this.isDeleted(pod)) return false;
    run.rotated = first;
    this.#cluster.changed(this.#pods[pod]!);
    return true;
  }

  /** Restarts a container; `waits`: it does not run again yet. */
  restart(pod: number, waits: boolean): void {
    const [own, container] = [this.#pods[pod]!, this.#containerOf(pod)];
    if (own.deleted) return;
    if (container.state === 'running') {
      this.#end(container);
      this.#cluster.endRun(own, container, 'waiting');
    }
    if (!waits) this.#cluster.startRun(own, container, runId(own.name, container.runs.length));
  }

  delete(pod: number): void {
    if (!this.isDeleted(pod)) this.#cluster.deletePod(this.#pods[pod]!);
  }

  #containerOf(pod: number): FakeContainer {
    return this.#pods[pod]!.containers[0]!;
  }

  /** Ends a run: a node keeps one dead container of each name (test/recorded/pods-log/crashloop-phase-*.json). */
  #end(container: FakeContainer): void {
    const [before, last] = [container.runs.at(-2), container.runs.at(-1)!];
    last.ended = true;
    if (before !== undefined) before.removed = true;
    container.state = 'waiting';
  }

  #runOf(pod: FakePod, id: string, records: readonly WrittenRecord[]): FakeRun {
    const run = newRun(id, []);
    for (const record of records) {
      this.#written.set(record.number, { pod, run, index: run.entries.length });
      run.entries.push(...entriesOf(record));
    }
    return run;
  }
}

/** Inserts a pause before a record: whatever precedes it was written long before. */
function pausedAt(records: readonly WrittenRecord[], index: number): readonly WrittenRecord[] {
  const later = ({ seconds, nanos }: Timestamp) => ({ seconds: seconds + LATE_MS / 1000, nanos });
  return records.map((record, at) => {
    if (at < index) return record;
    const lines = record.lines.map((line) => ({ ...line, at: later(line.at) }));
    return { ...record, at: later(record.at), lines };
  });
}

const msOf = (at: Timestamp | undefined) => (at === undefined ? Number.NaN : timestampToMs(at));

/** Runs are in the order of their names, so that equal times are too. */
const runId = (pod: string, index: number) => `containerd://${pod}-${String(index).padStart(3, '0')}`;
