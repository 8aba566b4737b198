import type { ContainerProgram } from '../../generator/container-program.ts';
import type { Emission, Exit, Step } from '../../generator/program.ts';
import type { HistoryClock } from '../history-clock.ts';

export interface LogFeed {
  /** Writes what is due by now; before something happens to the container. */
  flush(): void;
  /** The history is over: from now on each line at its own time. */
  goLive(): void;
  stop(): void;
}

export interface FeedTarget {
  /** False: the process blocks, try again later. */
  write(emission: Emission): boolean;
  exit(exit: Exit): void;
}

/** How long a blocked process waits before it tries again. */
const BLOCKED_MS = 100;

/** A program with many lines is played in steps of this length: a write for a few lines costs as much as for one. */
const STEP_MS = 10;
/** Lines that a late program writes before it lets others (and sockets) have their turn. */
const TURN_LINES = 100;

/**
 * Plays a program against a clock. Through the history it sets a timer for the exit only and writes the lines when
 * they are asked for or the history ends: a timer for each line would cost more than the line.
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

  /** The next step when it is due. */
  #due(nowMs: number): Step | undefined {
    return !this.#ended && this.#head !== undefined && this.#head.dueMs <= nowMs ? this.#head : undefined;
  }

  /** Writes the lines that are due, up to this limit; false when the process blocks. */
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
    // Timers that are late run one after the other, before anything is read from a socket.
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

  /** Until the next turn; undefined: nothing happens before the history ends. */
  #pauseMs(head: Step): number | undefined {
    const { exitAtMs } = this.#program;
    const leftMs = head.dueMs - this.#clock.now();
    if (this.#clock.real) return Math.max(leftMs, STEP_MS);
    if (this.#clock.live) return leftMs;
    return exitAtMs === undefined ? undefined : exitAtMs - this.#clock.now();
  }
}
