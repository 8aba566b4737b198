import type { ContainerTarget } from '../domain/container.ts';
import { makeSource, type Source } from '../domain/record.ts';
import type { LogQuery } from '../kube/client.ts';

/** One run of one container, as the log API is asked for it. */
export interface RunAddress {
  readonly target: ContainerTarget;
  readonly source: Source;
  /** Ask for the run before the present one. */
  readonly previous: boolean;
}

/** The address of a run of a container as it was last seen. */
export function addressRun(target: ContainerTarget, containerId: string, previous: boolean): RunAddress {
  return { target, source: makeSource(target, containerId), previous };
}

/** The query for a run, with timestamps unless said otherwise. */
export function logQuery(run: RunAddress, part: Partial<LogQuery>): LogQuery {
  const { namespace, pod, container } = run.target;
  return {
    namespace,
    pod,
    container,
    timestamps: true,
    ...(run.previous ? { previous: true } : {}),
    ...part,
  };
}
