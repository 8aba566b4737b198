import type { Clock } from '../../domain/clock.ts';
import type { Frame } from '../../domain/frame.ts';
import { gapLine, gapsLine } from './source-lines.ts';

type Gap = Extract<Frame, { type: 'gap' }>;

/** Up to so many are told one by one. */
const FEW = 3;
/** Pods that went or were started again during one outage are noticed within this time, one after the other. */
const TOGETHER_MS = 2_000;
const LONGEST_MS = 5_000;

/**
 * Tells of what may be missing. Where many containers miss something of one cause at about the same time, as of a
 * rollout during an outage, that is one line.
 */
export class Gaps {
  readonly #clock: Clock;
  readonly #say: (line: string) => Promise<void>;
  #held: Gap[] = [];
  #sinceMs = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, say: (line: string) => Promise<void>) {
    this.#clock = clock;
    this.#say = say;
  }

  /** Holds it back for a moment; `flush` tells it at once. */
  hold(gap: Gap): void {
    const nowMs = this.#clock.steady();
    if (this.#held.length === 0) this.#sinceMs = nowMs;
    this.#held.push(gap);
    this.#cancel?.();
    const leftMs = this.#sinceMs + LONGEST_MS - nowMs;
    this.#cancel = this.#clock.after(Math.min(TOGETHER_MS, leftMs), () => void this.flush());
  }

  /** Tells all that is held back. */
  async flush(): Promise<void> {
    this.#cancel?.();
    const byCause = new Map<string, [Gap, ...Gap[]]>();
    for (const gap of this.#held) {
      const gaps = byCause.get(gap.why);
      if (gaps === undefined) byCause.set(gap.why, [gap]);
      else gaps.push(gap);
    }
    this.#held = [];
    for (const gaps of byCause.values()) {
      if (gaps.length > FEW) await this.#say(gapsLine(gaps));
      else for (const gap of gaps) await this.#say(gapLine(gap));
    }
  }
}
