import type { FakeClock } from '../../src/domain/clock.ts';
import { formatTimestamp, timestampFromMs } from '../../src/domain/timestamp.ts';
import { FakeCluster, type FakeContainer, type FakePod, newRun } from './fake-cluster.ts';
import type { Chance } from './random-workload.ts';

/** Pods that write, restart, come, go and rotate their logs at random, and what they wrote. */
export class LiveWorkload {
  readonly written: {
    readonly name: string;
    readonly id: string;
    readonly runId: string;
    rotated: boolean;
  }[] = [];
  readonly cluster: FakeCluster;
  readonly live: { readonly pod: FakePod; readonly container: FakeContainer; restartedAt: number }[] = [];
  readonly #chance: Chance;
  readonly #clock: FakeClock;
  #count = 0;
  #runs = 0;

  constructor(chance: Chance, clock: FakeClock, pods: number) {
    this.#chance = chance;
    this.#clock = clock;
    this.cluster = new FakeCluster(clock);
    this.cluster.chunkBytes = () => chance.of([1, 13, 500, 65_536]);
    for (let index = 0; index < pods; index++) this.join();
  }

  join(): void {
    const pod = this.cluster.addPod(`pod-${this.#count++}`, { zone: this.#chance.of(['Z', '+05:30']) });
    const container = this.cluster.addContainer(pod, 'main', [newRun(`containerd://${this.#runs++}`)]);
    this.live.push({ pod, container, restartedAt: this.#clock.now() });
    this.cluster.joined(pod);
  }

  write(): void {
    this.#writeTo(this.#chance.of(this.live));
  }

  /** A few lines to each container that runs. */
  writeToAll(): void {
    for (const entry of this.live) this.#writeTo(entry);
  }

  #writeTo({ pod, container }: (typeof this.live)[number]): void {
    const run = container.runs.at(-1)!;
    if (run.ended) return;
    for (let lines = this.#chance.int(1, 4); lines > 0; lines--) {
      const at = timestampFromMs(this.#clock.now());
      const text = this.#chance.of([
        'tick',
        `line ${this.written.length}`,
        `bytes ÿ ${'y'.repeat(this.#chance.int(0, 40))}`,
      ]);
      const message = Buffer.from(text, 'latin1');
      this.cluster.write(container, { at, bytes: message, partial: false });
      const name = `${formatTimestamp(at)} ${pod.name}/main ${run.id} ${text}`;
      this.written.push({ name, id: `${pod.uid}/main`, runId: run.id, rotated: false });
    }
  }

  restart(quietMs: number): void {
    const entry = this.#chance.of(this.live);
    if (this.#clock.now() - entry.restartedAt < quietMs) return;
    entry.restartedAt = this.#clock.now();
    this.cluster.startRun(entry.pod, entry.container, `containerd://${this.#runs++}`);
  }

  leave(): void {
    if (this.live.length < 2) return;
    const [entry] = this.live.splice(this.#chance.int(0, this.live.length - 1), 1);
    if (entry !== undefined) this.cluster.deletePod(entry.pod);
  }

  /** The node has no log of that run any more. */
  isRemoved(runId: string): boolean {
    return this.live.some(({ container }) =>
      container.runs.some(({ id, removed }) => removed && id === runId),
    );
  }

  rotate(): void {
    const { container } = this.#chance.of(this.live);
    this.cluster.rotate(container);
    const { id } = container.runs.at(-1)!;
    for (const record of this.written) if (record.runId === id) record.rotated = true;
  }
}
