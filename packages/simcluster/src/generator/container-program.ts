import type { ContainerBehavior, ScenarioRun } from '../scenario/container-schema.ts';
import { durationMs } from '../scenario/duration.ts';
import { fixedLines, fixedLinesMs } from './fixed-lines.ts';
import { type Exit, mergePrograms, type Program, type Step } from './program.ts';
import type { Random } from './random.ts';
import { traffic } from './traffic.ts';

export interface ContainerProgram {
  readonly steps: Program;
  /** When the program ends by itself, ms since the epoch; undefined: never. */
  readonly exitAtMs: number | undefined;
}

export interface ProgramInput {
  /** What the container does, from the scenario or its own environment. */
  readonly behavior: ContainerBehavior | undefined;
  /** Whether the container must end before its pod can continue or complete: an init container, or a Job's. */
  readonly toEnd: boolean;
  /** 0 for the first run. */
  readonly attempt: number;
  readonly startMs: number;
  /** The time when serving started, from which generators count offsets. */
  readonly servingMs: number;
  readonly random: Random;
  /** Separate random numbers for each generator, so that adding one does not change the others. */
  readonly randomOf: (index: number) => Random;
}

/** Returns what one run of a container writes and how it ends. */
export function containerProgram(input: ProgramInput): ContainerProgram {
  const { behavior, attempt } = input;
  if (behavior === undefined || isSilent(behavior)) return programOfImage(input);
  return programOfRun(runOf(behavior, attempt), input);
}

/** How long an image's program runs if it must end. */
const OWN_PROGRAM_MS = 1000;

/**
 * The simulated cluster runs no image: its container writes nothing, and either serves forever or exits with 0 after a
 * second.
 */
function programOfImage({ toEnd, startMs }: ProgramInput): ContainerProgram {
  if (!toEnd) return { steps: [][Symbol.iterator](), exitAtMs: undefined };
  const dueMs = startMs + OWN_PROGRAM_MS;
  const exit: Exit = { kind: 'exit', dueMs, code: 0, reason: 'Completed' };
  return { steps: [exit][Symbol.iterator]() as Program, exitAtMs: dueMs };
}

function isSilent({ runs, lines, logs, exit }: ContainerBehavior): boolean {
  return runs === undefined && lines === undefined && logs === undefined && exit === undefined;
}

function runOf(behavior: ContainerBehavior, attempt: number): ScenarioRun {
  const { runs } = behavior;
  return runs?.[Math.min(attempt, runs.length - 1)] ?? behavior;
}

function programOfRun(run: ScenarioRun, input: ProgramInput): ContainerProgram {
  const { startMs, servingMs, random } = input;
  const lines = run.lines ?? [];
  const programs: Program[] = [fixedLines(lines, startMs, random)];
  for (const [index, generator] of (run.logs ?? []).entries()) {
    programs.push(traffic(generator, startMs, servingMs, input.randomOf(index)));
  }
  if (run.exit === undefined) return { steps: mergePrograms(programs), exitAtMs: undefined };
  const reason =
    run.exit.reason ??
    (run.exit.code === 0 ? 'Completed' : run.exit.code === undefined ? 'Completed' : 'Error');
  const code = run.exit.code ?? { Completed: 0, Error: 1, OOMKilled: 137 }[reason];
  const spreadMs = run.exit.spread === undefined ? 0 : random.next() * durationMs(run.exit.spread);
  const dueMs = startMs + fixedLinesMs(lines) + durationMs(run.exit.after) + Math.floor(spreadMs);
  const exit: Exit = { kind: 'exit', dueMs, code, reason };
  programs.push(([exit] as Step[])[Symbol.iterator]() as Program);
  return { steps: mergePrograms(programs), exitAtMs: dueMs };
}
