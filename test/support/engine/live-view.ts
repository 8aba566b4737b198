import { setImmediate } from 'node:timers/promises';
import type { FakeClock } from '@logtool/kube/src/values/clock.ts';
import type { Frame } from '@logtool/logtool/src/domain/frame.ts';
import type { LogRecord } from '@logtool/logtool/src/domain/record.ts';
import type { EnginePlan } from '@logtool/logtool/src/stream/plan/engine.ts';
import { readLogs } from '@logtool/logtool/src/stream/view/read-logs.ts';
import type { FakeCluster } from './fake-cluster.ts';

/** A view that follows, read by a test while it runs. */
export class LiveView {
  readonly frames: Frame[] = [];
  readonly records: LogRecord[] = [];
  ended = false;
  readonly #clock: FakeClock;
  readonly #abort = new AbortController();
  readonly #reading: Promise<void>;
  #paused: Promise<void> | undefined;
  #resume = () => {};

  constructor(cluster: FakeCluster, clock: FakeClock, plan: EnginePlan, open = true) {
    this.#clock = clock;
    const { signal } = this.#abort;
    const sources = cluster.sources({ follow: true, open, signal });
    this.#reading = this.#read(readLogs({ client: cluster.client, clock, signal }, sources, plan));
    this.#reading.catch(() => undefined);
  }

  async #read(frames: AsyncIterable<Frame>): Promise<void> {
    for await (const frame of frames) {
      this.frames.push(frame);
      if (frame.type === 'records') this.records.push(...frame.records);
      await this.#paused;
    }
    this.ended = true;
  }

  /** Takes only one more frame until the test resumes it. */
  pause(): void {
    this.#paused = new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  goOn(): void {
    this.#paused = undefined;
    this.#resume();
  }

  /** Advances time in small steps, so that everything due happens in between. */
  async pass(ms: number, stepMs = 50): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await settle();
      await this.#clock.advance(Math.min(stepMs, ms - passed));
    }
    await settle();
  }

  /** Advances time until the condition holds, by at most `maxMs`. */
  async until(isTrue: () => boolean, maxMs: number): Promise<void> {
    for (let passed = 0; passed < maxMs && !isTrue(); passed += 200) await this.pass(200);
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error('the test is over'));
    this.goOn();
    await settle();
    await this.#reading.catch(() => undefined);
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}
