import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogSource, WireContainerState } from '../../contract/log-source.ts';
import { type SourceColumns, sourceColumns } from '../../domain/columns.ts';
import {
  type ContainerTarget,
  currentRunId,
  keptEarlierRun,
  keyText,
  restartsOfRun,
} from '../../domain/container.ts';
import type { Run } from '../../domain/record.ts';
import { isOver } from '../../resolve/pods/container-facts.ts';

interface SentRun {
  readonly index: number;
  readonly runId: string;
  /** A status counts only the restarts of the current run; an earlier run keeps its count. */
  restarts: number;
  /** As a terminal shows them: from the container as it was last seen with this run. */
  columns: SourceColumns;
  /** Its last sent state, as JSON; empty before the first. */
  sent: string;
}

interface Container {
  target: ContainerTarget;
  arguments: readonly string[];
  readonly runs: Map<string, SentRun>;
}

/**
 * The containers of one query, by the numbers in records: one number for each run. `takeChanged` returns new and
 * changed ones, and must precede the records that name them.
 */
export class SourceTable {
  readonly #containers = new Map<string, Container>();
  readonly #claims = new Map<string, readonly string[]>();
  readonly #changed = new Set<Container>();
  readonly #known = new WeakMap<Run, number>();
  #runs = 0;
  #lastRun: Run | undefined;
  #lastIndex = 0;

  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Whether a container with that id was seen. */
  has(id: string): boolean {
    return this.#containers.has(id);
  }

  /**
   * Updates a container from the resolver; returns the number of its current run. The run before it is listed too, though
   * no record of it was read: people choose it after a crash.
   */
  see(target: ContainerTarget): number {
    const container = this.#containerOf(target);
    if (container.target !== target) {
      container.target = target;
      this.#changed.add(container);
    }
    const { index } = this.#runOf(container, target, currentRunId(target));
    const earlier = keptEarlierRun(target);
    if (earlier !== undefined) this.#runOf(container, target, earlier);
    return index;
  }

  /**
   * Returns the number of the run that was current when the engine reported something about a container. A reader may
   * still hold a status that the resolver has replaced: it updates the container only if it has restarted since.
   */
  indexOfPresent(target: ContainerTarget): number {
    const container = this.#containerOf(target);
    if (target.restartCount > container.target.restartCount) return this.see(target);
    return this.#runOf(container, target, currentRunId(target)).index;
  }

  /** Sets the source arguments that a container belongs to. */
  claim(id: string, given: readonly string[]): void {
    this.#claims.set(id, given);
    const container = this.#containers.get(id);
    if (container === undefined) return;
    container.arguments = given;
    this.#changed.add(container);
  }

  /** Returns the number of the run that a record belongs to. */
  indexOf(run: Run): number {
    if (run === this.#lastRun) return this.#lastIndex;
    let index = this.#known.get(run);
    if (index === undefined) {
      index = this.#runOf(this.#containerOf(run.target), run.target, run.key.containerId).index;
      this.#known.set(run, index);
    }
    this.#lastRun = run;
    this.#lastIndex = index;
    return index;
  }

  /** Returns what is new or changed since the last call. */
  takeChanged(): readonly LogSource[] {
    const changed: LogSource[] = [];
    for (const container of this.#changed) {
      for (const run of container.runs.values()) {
        const source = describe(container, run);
        const text = JSON.stringify(source);
        if (text === run.sent) continue;
        run.sent = text;
        changed.push(source);
      }
    }
    this.#changed.clear();
    return changed;
  }

  #containerOf(target: ContainerTarget): Container {
    const known = this.#containers.get(target.id);
    if (known !== undefined) return known;
    const container = { target, arguments: this.#claims.get(target.id) ?? [], runs: new Map() };
    this.#containers.set(target.id, container);
    return container;
  }

  /** Returns a run. `target`: the container as seen with that run. */
  #runOf(container: Container, target: ContainerTarget, runId: string): SentRun {
    const known = container.runs.get(runId);
    if (known !== undefined) {
      const isPresent = target === container.target && runId === currentRunId(target);
      if (isPresent) {
        known.restarts = target.restartCount;
        known.columns = sourceColumns(target, runId);
      }
      return known;
    }
    const restarts = restartsOfRun(target, runId);
    const columns = sourceColumns(target, runId);
    const run: SentRun = { index: this.#runs++, runId, restarts, columns, sent: '' };
    container.runs.set(runId, run);
    this.#changed.add(container);
    return run;
  }
}

function describe({ target, arguments: given }: Container, run: SentRun): LogSource {
  const isPresent = run.runId === currentRunId(target);
  return {
    index: run.index,
    id: target.id,
    run: run.runId,
    order: keyText({ podUid: target.podUid, container: target.container, containerId: run.runId }),
    arguments: [...given],
    workload: target.workload,
    podContainers: target.podContainers === undefined ? undefined : [...target.podContainers],
    image: isPresent ? target.image : undefined,
    kind: target.kind,
    restarts: run.restarts,
    state: wireState(target),
    // Last: a field above with the name of a column would not compile.
    ...run.columns,
  };
}

function wireState({
  state,
  restartCount: restarts,
  mayRestart,
  podPhase,
}: ContainerTarget): WireContainerState {
  switch (state.kind) {
    case 'running':
      return { kind: 'running', restarts, startedAt: startText(state) };
    case 'waiting': {
      const { reason } = state;
      // A pod may end before its containers have a status: nothing starts in it any more.
      return isOver(podPhase)
        ? { kind: 'terminated', restarts, reason, mayRestart: false }
        : { kind: 'waiting', restarts, reason };
    }
    case 'terminated': {
      const { reason, exitCode } = state;
      const startedAt = startText(state);
      return { kind: 'terminated', restarts, reason: reason || undefined, exitCode, mayRestart, startedAt };
    }
  }
}

function startText({ startedAt }: { readonly startedAt?: Timestamp | undefined }): string | undefined {
  return startedAt === undefined ? undefined : formatTimestamp(startedAt);
}
