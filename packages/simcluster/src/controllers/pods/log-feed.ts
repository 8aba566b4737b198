import type { ContainerProgram } from '../../generator/container-program.ts';
import type { Emission, Exit, Step } from '../../generator/program.ts';
import type { HistoryClock } from '../history-clock.ts';

export interface LogFeed {
  /** Writes the lines that are due by now; call it before something happens to the container. */
  flush(): void;
  /** Ends the history: from now on, each line is written at its own time. */
  goLive(): void;
  stop(): void;
}

export interface FeedTarget {
  /** Returns false if the process blocks and must try again later. */
  write(emission: Emission): boolean;
  exit(exit: Exit): void;
}

/** How long a blocked process waits before its next attempt. */
const BLOCKED_MS = 100;

/** A program with many lines runs in steps of this length, because writing a few lines costs as much as writing one. */
const STEP_MS = 10;
/** How many lines a late program writes before it yields to others (and to sockets). */
const TURN_LINES = 100;

/**
 * Plays a program on a clock. During the history it sets a timer only for the exit, and writes the lines on request or
 * when the history ends: a timer for each line would cost more than the line.
 */
export function startFeed(program: ContainerProgram, clock: HistoryClock, target: FeedTarget): LogFeed {
  const feed = new ProgramFeed(program, clock, target);
  feed.start();
  return feed;
}

class ProgramFeed implements LogFeed {
  readonly #program: ContainerProgram;
  readonly #clock: HistoryClock;
  readonly #target: FeedTarget;
  #head: Step | undefined;
  #cancel: (() => void) | undefined;
  #ended = false;

  constructor(program: ContainerProgram, clock: HistoryClock, target: FeedTarget) {
    this.#program = program;
    this.#clock = clock;
    this.#target = target;
  }

  start(): void {
    this.#advance();
    this.#playAll();
  }

  flush(): void {
    this.#pump(Number.POSITIVE_INFINITY);
  }

  goLive(): void {
    if (this.#ended) return;
    this.#cancel?.();
    this.#playAll();
  }

  stop(): void {
    this.#ended = true;
    this.#cancel?.();
  }

  #playAll(): void {
    this.#arm(this.#pump(Number.POSITIVE_INFINITY));
  }

  #advance(): void {
    const next = this.#program.steps.next();
    this.#head = next.done === true ? undefined : next.value;
  }

  /** Returns the next step if it is due. */
  #due(nowMs: number): Step | undefined {
    return !this.#ended && this.#head !== undefined && this.#head.dueMs <= nowMs ? this.#head : undefined;
  }

  /** Writes the due lines, up to this limit; returns false if the process blocks. */
  #pump(maxLines: number): boolean {
    const nowMs = this.#clock.now();
    for (let lines = 0; lines < maxLines; lines++) {
      const step = this.#due(nowMs);
      if (step === undefined) return true;
      if (step.kind === 'exit') {
        this.#ended = true;
        this.#target.exit(step);
        return true;
      }
      if (!this.#target.write(step)) return false;
      this.#advance();
    }
    return true;
  }

  readonly #turn = (): void => {
    const isOpen = this.#pump(this.#clock.real ? TURN_LINES : Number.POSITIVE_INFINITY);
    // Late timers would run one after another, before any socket is read.
    if (isOpen && this.#clock.real && this.#due(this.#clock.now()) !== undefined) {
      const next = setImmediate(this.#turn);
      this.#cancel = () => clearImmediate(next);
    } else this.#arm(isOpen);
  };

  #arm(isOpen: boolean): void {
    if (this.#ended || this.#head === undefined) return;
    const pauseMs = isOpen ? this.#pauseMs(this.#head) : BLOCKED_MS;
    if (pauseMs !== undefined) this.#cancel = this.#clock.after(pauseMs, this.#turn);
  }

  /** Returns the time until the next turn, ms; undefined: nothing happens before the history ends. */
  #pauseMs(head: Step): number | undefined {
    const { exitAtMs } = this.#program;
    const leftMs = head.dueMs - this.#clock.now();
    if (this.#clock.real) return Math.max(leftMs, STEP_MS);
    if (this.#clock.live) return leftMs;
    return exitAtMs === undefined ? undefined : exitAtMs - this.#clock.now();
  }
}
