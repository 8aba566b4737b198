import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';

/** One write of a container to one of its streams. */
export interface Emission {
  readonly kind: 'emission';
  /** When the container writes it, ms since the epoch. */
  readonly dueMs: number;
  /** The timestamp from a runtime with an exact clock. */
  readonly at: Timestamp;
  readonly stream: 'stdout' | 'stderr';
  /** Without the newline. */
  readonly bytes: Uint8Array;
  /** False: no newline follows, so the runtime holds the bytes back until more arrive or the process ends. */
  readonly newline: boolean;
  /** Whether the runtime read a fragment: it becomes an entry with tag P at once. */
  readonly partial: boolean;
}

/** The process ends by itself. */
export interface Exit {
  readonly kind: 'exit';
  readonly dueMs: number;
  readonly code: number;
  readonly reason: string;
}

export type Step = Emission | Exit;

/**
 * The steps of one run of a container, ordered by time. It may be endless; if it ends without an exit, the container
 * stays silent.
 */
export type Program = Iterator<Step, undefined>;

/** Merges programs by time; the first exit ends them all. */
export function* mergePrograms(programs: readonly Program[]): Generator<Step, undefined> {
  const heads: { program: Program; step: Step; order: number }[] = [];
  for (const [order, program] of programs.entries()) {
    const first = program.next();
    if (first.done !== true) heads.push({ program, step: first.value, order });
  }
  while (heads.length > 0) {
    let best = heads[0] as (typeof heads)[number];
    for (const head of heads) if (head.step.dueMs < best.step.dueMs) best = head;
    yield best.step;
    if (best.step.kind === 'exit') return undefined;
    const next = best.program.next();
    if (next.done === true) heads.splice(heads.indexOf(best), 1);
    else best.step = next.value;
  }
  return undefined;
}
