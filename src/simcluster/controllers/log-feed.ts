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

  /** Writes what is due; false when the process blocks. */
  const pump = (): boolean => {
    const nowMs = clock.now();
    while (!ended && head !== undefined && head.dueMs <= nowMs) {
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

  const arm = (): void => {
    if (ended) return;
    const open = pump();
    if (ended || head === undefined) return;
    if (!open) cancel = clock.after(BLOCKED_MS, arm);
    else if (clock.live || program.exitAtMs === 'unknown') {
      cancel = clock.after(head.dueMs - clock.now(), arm);
    } else if (program.exitAtMs !== undefined) {
      cancel = clock.after(program.exitAtMs - clock.now(), arm);
    }
  };

  advance();
  arm();
  return {
    flush: () => void pump(),
    goLive: () => {
      if (ended) return;
      cancel?.();
      arm();
    },
    stop: () => {
      ended = true;
      cancel?.();
    },
  };
}
