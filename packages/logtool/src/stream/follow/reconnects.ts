import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ContainerFrame, Frame } from '../../domain/frame.ts';

/** Connections that break within this time very likely have one cause. */
const TOGETHER_MS = 500;
/** Containers that are back wait for others, to be reported together, until none came back for this long. */
const BACK_MS = 3_000;
/** Up to this many are reported one by one. */
const MAX_SINGLE_FRAMES = 3;

/**
 * Reports broken and restored connections. If many break at once (a server restart), one frame reports them all: fifty
 * lines would bury the records.
 */
export class Reconnects {
  readonly #clock: Clock;
  readonly #hand: (frame: Frame) => void;
  readonly #lost: ContainerFrame[] = [];
  readonly #back: ContainerFrame[] = [];
  /** Containers reported as reconnecting. */
  readonly #away = new Set<string>();
  #cancel: (() => void) | undefined;
  #cancelBack: (() => void) | undefined;

  constructor(clock: Clock, hand: (frame: Frame) => void) {
    this.#clock = clock;
    this.#hand = hand;
  }

  /** Takes every frame of the followers; may delay and combine those about connections. */
  take(frame: Frame): void {
    if (frame.type !== 'source') {
      this.#hand(frame);
      return;
    }
    const { id } = frame.target;
    if (frame.state === 'reconnecting') this.#noteLost(frame);
    else if (frame.state === 'reconnected') {
      const pending = this.#lost.findIndex(({ target }) => target.id === id);
      // Back before it was reported as lost: not worth a line.
      if (pending !== -1) this.#lost.splice(pending, 1);
      else if (this.#away.delete(id)) this.#noteBack(frame);
      return;
    } else {
      this.#away.delete(id);
      this.#hand(frame);
      return;
    }
    this.#cancel ??= this.#clock.after(TOGETHER_MS, () => {
      this.#cancel = undefined;
      for (const { target } of this.#lost) this.#away.add(target.id);
      this.#report(this.#lost.splice(0));
    });
  }

  /** Keeps the latest reason of each container. */
  #noteLost(frame: ContainerFrame): void {
    const pending = this.#lost.findIndex(({ target }) => target.id === frame.target.id);
    if (pending === -1) this.#lost.push(frame);
    else this.#lost[pending] = frame;
  }

  #noteBack(frame: ContainerFrame): void {
    this.#back.push(frame);
    const report = () => {
      this.#cancelBack?.();
      this.#cancelBack = undefined;
      this.#report(this.#back.splice(0));
    };
    if (this.#away.size === 0) report();
    else {
      this.#cancelBack?.();
      this.#cancelBack = this.#clock.after(BACK_MS, report);
    }
  }

  close(): void {
    this.#cancel?.();
    this.#cancelBack?.();
  }

  #report(frames: readonly ContainerFrame[]): void {
    const [first, ...others] = frames;
    if (first === undefined) return;
    if (others.length < MAX_SINGLE_FRAMES) for (const frame of frames) this.#hand(frame);
    else {
      const otherIds = others.map(({ target }) => target.id);
      this.#hand({ ...first, others: others.length, otherIds });
    }
  }
}
