import type { LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { makeSource, type Source } from '../../domain/record.ts';
import type { ReadContext } from '../read-context.ts';

/** One run of one container, as the log API is asked for it. */
export interface RunAddress {
  readonly target: ContainerTarget;
  readonly source: Source;
  /** Ask for the run before the present one. */
  readonly previous: boolean;
}

/** The address of a run of a container as last seen. */
export function addressRun(target: ContainerTarget, containerId: string, previous: boolean): RunAddress {
  return { target, source: makeSource(target, containerId), previous };
}

/** The query for a run, with timestamps by default. */
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

/** Asks for a run's log, or takes the answer that a guess has brought already. */
export async function askLog(
  context: ReadContext,
  run: RunAddress,
  part: Partial<LogQuery>,
): Promise<LogResponse> {
  const query = logQuery(run, part);
  const guessed = await context.guess?.take(run.target, query);
  return guessed ?? context.client.log(query, { signal: context.signal });
}
