import type { Clock } from '../domain/clock.ts';
import type { Frame, SourceFrame } from '../domain/frame.ts';

/** Connections that break within this time have very likely one cause. */
const TOGETHER_MS = 500;
/** Up to so many are told one by one. */
const FEW = 3;

/**
 * Tells of broken and restored connections. When many break at once (the server was restarted), one frame stands for
 * all: fifty lines would bury the records.
 */
export class Reconnects {
  readonly #clock: Clock;
  readonly #hand: (frame: Frame) => void;
  #lost: SourceFrame[] = [];
  #back: SourceFrame[] = [];
  /** Containers told of as being reconnected. */
  readonly #away = new Set<string>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, hand: (frame: Frame) => void) {
    this.#clock = clock;
    this.#hand = hand;
  }

  /** Takes every frame of the followers; those about connections may come out later and as one. */
  take(frame: Frame): void {
    if (frame.type !== 'source') {
      this.#hand(frame);
      return;
    }
    const { id } = frame.target;
    if (frame.state === 'reconnecting') this.#lost.push(frame);
    else if (frame.state === 'reconnected') {
      const pending = this.#lost.findIndex(({ target }) => target.id === id);
      // Back before it was told to be away: nothing happened that is worth a line.
      if (pending !== -1) this.#lost.splice(pending, 1);
      else if (this.#away.delete(id)) this.#back.push(frame);
    } else {
      this.#away.delete(id);
      this.#hand(frame);
      return;
    }
    this.#cancel ??= this.#clock.after(TOGETHER_MS, () => {
      this.#cancel = undefined;
      this.#tell();
    });
  }

  close(): void {
    this.#cancel?.();
  }

  #tell(): void {
    for (const { target } of this.#lost) this.#away.add(target.id);
    for (const frames of [this.#lost, this.#back]) {
      const [first, ...others] = frames.splice(0);
      if (first === undefined) continue;
      if (others.length < FEW) for (const frame of [first, ...others]) this.#hand(frame);
      else this.#hand({ ...first, others: others.length });
    }
  }
}
