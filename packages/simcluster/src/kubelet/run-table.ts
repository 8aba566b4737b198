import type { ProcessRun } from './process-run.ts';

/** The runs that the nodes still have, by container ID, container, pod and node. */
export class RunTable {
  readonly #byId = new Map<string, ProcessRun>();
  readonly #byPod = new Map<string, ProcessRun[]>();

  add(run: ProcessRun): void {
    this.#byId.set(run.containerId, run);
    const { podUid } = run.identity;
    this.#byPod.set(podUid, [...this.runsOfPod(podUid), run]);
  }

  delete(run: ProcessRun): void {
    this.#byId.delete(run.containerId);
    const { podUid } = run.identity;
    const left = this.runsOfPod(podUid).filter((other) => other !== run);
    if (left.length === 0) this.#byPod.delete(podUid);
    else this.#byPod.set(podUid, left);
  }

  find(containerId: string): ProcessRun | undefined {
    return this.#byId.get(containerId);
  }

  /** Returns a run; throws for an ID that no node has. */
  get(containerId: string): ProcessRun {
    const run = this.#byId.get(containerId);
    if (run === undefined) throw new Error(`no node has the container ${containerId}`);
    return run;
  }

  runsOfPod(podUid: string): readonly ProcessRun[] {
    return this.#byPod.get(podUid) ?? [];
  }

  /** Returns the runs of a container, oldest first. */
  runs(podUid: string, container: string): readonly ProcessRun[] {
    return this.runsOfPod(podUid).filter((run) => run.identity.container === container);
  }

  runsOfNode(node: string): readonly ProcessRun[] {
    return [...this.#byId.values()].filter((run) => run.identity.node === node);
  }

  all(): IterableIterator<ProcessRun> {
    return this.#byId.values();
  }
}
