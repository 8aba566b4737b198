import type { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp, type Timestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { FakeCluster, type FakeContainer, type FakePod, newRun } from './fake-cluster.ts';
import type { Chance } from './random-workload.ts';

const FRAGMENT_BYTES = 16_384;

/** What a container wrote. */
export interface LiveWritten {
  readonly name: string;
  readonly id: string;
  readonly runId: string;
  readonly at: Timestamp;
  rotated: boolean;
}

interface LiveEntry {
  readonly pod: FakePod;
  readonly container: FakeContainer;
  restartedAt: number;
  /** When the pending change happens: the end of a crash, a start, or a late status. */
  dueMs: number;
}

/** Pods that randomly write, restart, come, go and rotate their logs, with what they wrote. */
export class LiveWorkload {
  readonly written: LiveWritten[] = [];
  readonly cluster: FakeCluster;
  readonly live: LiveEntry[] = [];
  readonly #chance: Chance;
  readonly #clock: FakeClock;
  readonly #gone: string[] = [];
  #count = 0;
  #runs = 0;

  constructor(chance: Chance, clock: FakeClock, pods: number) {
    this.#chance = chance;
    this.#clock = clock;
    this.cluster = new FakeCluster(clock);
    this.cluster.chunkBytes = () => chance.of([1, 13, 500, 65_536]);
    for (let index = 0; index < pods; index++) this.join();
  }

  join(overrides: Partial<FakePod> = {}, name = `pod-${this.#count++}`): void {
    const pod = this.cluster.addPod(name, { zone: this.#chance.of(['Z', '+05:30']), ...overrides });
    const container = this.cluster.addContainer(pod, 'main', [newRun(this.#nextRun())]);
    this.live.push({ pod, container, restartedAt: this.#clock.now(), dueMs: 0 });
    this.cluster.joined(pod);
  }

  /** Adds a pod that takes a while to start. */
  joinSlowly(maxMs: number, overrides: Partial<FakePod> = {}): void {
    const pod = this.cluster.addPod(`pod-${this.#count++}`, {
      scheduled: this.#chance.isTrue(0.5),
      ...overrides,
    });
    const container = this.cluster.addContainer(pod, 'main', []);
    container.state = 'waiting';
    const dueMs = this.#clock.now() + this.#chance.int(0, maxMs);
    this.live.push({ pod, container, restartedAt: this.#clock.now(), dueMs });
    this.cluster.joined(pod);
  }

  /** Adds another pod with the name of a deleted one, like a StatefulSet. */
  joinAgain(): void {
    const name = this.#gone.shift();
    if (name !== undefined) this.join({ uid: `uid-${name}-${this.#count++}` }, name);
  }

  write(): void {
    this.#writeTo(this.#chance.of(this.live));
  }

  /** Writes a few lines to each running container. */
  writeToAll(): void {
    for (const entry of this.live) this.#writeTo(entry);
  }

  #writeTo(entry: LiveEntry): void {
    if (!isRunning(entry)) return;
    for (let lines = this.#chance.int(1, 4); lines > 0; lines--) {
      const text = this.#chance.of([
        'tick',
        `line ${this.written.length}`,
        `bytes ÿ ${'y'.repeat(this.#chance.int(0, 40))}`,
      ]);
      this.#put(entry, text);
    }
  }

  /** Writes more lines than a resume first requests. */
  burst(lines: number): void {
    const entry = this.#chance.of(this.live);
    if (!isRunning(entry)) return;
    for (let line = 0; line < lines; line++) this.#put(entry, `burst ${this.written.length}`);
  }

  /** Writes a line that the runtime splits into fragments. */
  writeLong(): void {
    const entry = this.#chance.of(this.live);
    if (!isRunning(entry)) return;
    const filler = this.#chance.of(['A', 'B']).repeat(FRAGMENT_BYTES);
    this.#put(entry, `${filler}end of ${this.written.length}`);
  }

  #put({ pod, container }: LiveEntry, text: string, hasEnd = true): void {
    const at = timestampFromMs(this.#clock.now() + pod.skewMs);
    const bytes = Buffer.from(text, 'latin1');
    for (let from = 0; from === 0 || from < bytes.length; from += FRAGMENT_BYTES) {
      const to = from + FRAGMENT_BYTES;
      const partial = to < bytes.length || !hasEnd;
      this.cluster.write(container, { at, bytes: bytes.subarray(from, to), partial });
    }
    const { id } = container.runs.at(-1)!;
    const shown = bytes.length > 80 ? `${text.slice(0, 40)}..${bytes.length}` : text;
    const name = `${formatTimestamp(at)} ${pod.name}/main ${id} ${shown}`;
    this.written.push({ name, id: `${pod.uid}/main`, runId: id, at, rotated: false });
  }

  restart(quietMs: number): void {
    const entry = this.#restarting(quietMs);
    if (entry !== undefined) this.cluster.startRun(entry.pod, entry.container, this.#nextRun());
  }

  /** Restarts a container; the API server learns of it late. */
  restartUnnoticed(quietMs: number, maxMs: number): void {
    const entry = this.#restarting(quietMs);
    if (entry === undefined) return;
    entry.dueMs = this.#clock.now() + this.#chance.int(0, maxMs);
    this.cluster.holdStatus(entry.pod);
    this.cluster.startRun(entry.pod, entry.container, this.#nextRun());
  }

  /** Ends a container, which waits for its restart. */
  crash(quietMs: number, maxMs: number): void {
    const entry = this.#restarting(quietMs);
    if (entry === undefined) return;
    entry.dueMs = this.#clock.now() + this.#chance.int(0, maxMs);
    this.cluster.endRun(entry.pod, entry.container, 'waiting');
  }

  /** The last line may lack its end, as for a killed process. */
  #restarting(quietMs: number): LiveEntry | undefined {
    const entry = this.#chance.of(this.live);
    if (
      !isRunning(entry) ||
      entry.dueMs !== 0 ||
      entry.pod.deleting ||
      this.#clock.now() - entry.restartedAt < quietMs
    )
      return undefined;
    entry.restartedAt = this.#clock.now();
    if (this.#chance.isTrue(0.2)) this.#put(entry, `cut ${this.written.length}`, false);
    return entry;
  }

  /** Continues stalled logs that are due. */
  goOn(): void {
    for (const entry of this.live) {
      if (entry.dueMs === 0 || this.#clock.now() < entry.dueMs) continue;
      entry.dueMs = 0;
      entry.pod.scheduled = true;
      if (entry.container.state === 'waiting') {
        entry.restartedAt = this.#clock.now();
        this.cluster.startRun(entry.pod, entry.container, this.#nextRun());
      }
      this.cluster.letStatusGo(entry.pod);
    }
  }

  leave(): void {
    if (this.live.length < 2) return;
    const [entry] = this.live.splice(this.#chance.int(0, this.live.length - 1), 1);
    if (entry === undefined) return;
    this.#gone.push(entry.pod.name);
    // A pod is removed only after its node has reported its end.
    this.cluster.letStatusGo(entry.pod);
    this.cluster.deletePod(entry.pod);
  }

  /** Deletes a pod, which keeps running until it is gone. */
  retire(): void {
    const { pod } = this.#chance.of(this.live);
    pod.deleting = true;
    this.cluster.changed(pod);
  }

  /** Whether the node no longer has the log of that run. */
  isRemoved(runId: string): boolean {
    return this.live.some(({ container }) =>
      container.runs.some(({ id, removed }) => removed && id === runId),
    );
  }

  rotate(): void {
    const { container } = this.#chance.of(this.live);
    const run = container.runs.at(-1);
    if (run === undefined) return;
    this.cluster.rotate(container);
    for (const record of this.written) if (record.runId === run.id) record.rotated = true;
  }

  #nextRun(): string {
    return `containerd://${this.#runs++}`;
  }
}

function isRunning({ container }: LiveEntry): boolean {
  const run = container.runs.at(-1);
  return run !== undefined && !run.ended;
}
