import type { ContainerProgram } from '../generator/container-program.ts';
import type { Emission, Exit, Step } from '../generator/program.ts';
import type { HistoryClock } from './history-clock.ts';

export interface LogFeed {
  /** Writes what is due by now; before something happens to the container. */
  flush(): void;
  /** The history is over: from now on each line at its own time. */
  goLive(): void;
  stop(): void;
}

export interface FeedTarget {
  /** False: the process blocks, it is to be tried again. */
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
 * Plays a program against a clock. Through the history it sets a timer for the exit alone and writes the lines when
 * they are asked for or the history ends: a timer for each line would cost more than the line.
 */
export function startFeed(program: ContainerProgram, clock: HistoryClock, target: FeedTarget): LogFeed {
  let head: Step | undefined;
  let cancel: (() => void) | undefined;
  let ended = false;

  const advance = (): void => {
    const next = program.steps.next();
    head = next.done === true ? undefined : next.value;
  };

  const isDue = (): boolean => !ended && head !== undefined && head.dueMs <= clock.now();

  /** Writes what is due, at most so many lines; false when the process blocks. */
  const pump = (mostLines: number): boolean => {
    const nowMs = clock.now();
    for (let lines = 0; lines < mostLines && !ended && head !== undefined && head.dueMs <= nowMs; lines++) {
      const step = head;
      if (step.kind === 'exit') {
        ended = true;
        target.exit(step);
        return true;
      }
      if (!target.write(step)) return false;
      advance();
    }
    return true;
  };

  const arm = (isOpen: boolean): void => {
    if (ended || head === undefined) return;
    const leftMs = head.dueMs - clock.now();
    if (!isOpen) cancel = clock.after(BLOCKED_MS, turn);
    else if (clock.real) cancel = clock.after(Math.max(leftMs, STEP_MS), turn);
    else if (clock.live || program.exitAtMs === 'unknown') cancel = clock.after(leftMs, turn);
    else if (program.exitAtMs !== undefined) {
      cancel = clock.after(program.exitAtMs - clock.now(), turn);
    }
  };

  const turn = (): void => {
    const isOpen = pump(clock.real ? TURN_LINES : Number.POSITIVE_INFINITY);
    // Timers that are late run one after the other, before anything is read from a socket.
    if (isOpen && clock.real && isDue()) {
      const next = setImmediate(turn);
      cancel = () => clearImmediate(next);
    } else arm(isOpen);
  };

  const playAll = (): void => arm(pump(Number.POSITIVE_INFINITY));

  advance();
  playAll();
  return {
    flush: () => void pump(Number.POSITIVE_INFINITY),
    goLive: () => {
      if (ended) return;
      cancel?.();
      playAll();
    },
    stop: () => {
      ended = true;
      cancel?.();
    },
  };
}
