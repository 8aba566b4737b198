import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogSource } from '@logtool/logtool/src/contract/log-source.ts';

export interface FakeLine extends Timestamp {
  readonly container: string;
  readonly text: string;
}

/** `asked`: the source arguments of the query, as the server names those that select the container. */
export function sourceOf(
  container: string,
  index: number,
  asked: readonly string[] = [container.split('/')[0] ?? ''],
): LogSource {
  return {
    index,
    id: container,
    run: 'run',
    order: `${container}/run`,
    arguments: asked.filter((argument) => selects(argument, container)),
    namespace: 'shop',
    pod: container,
    container: 'app',
    kind: 'regular',
    node: `node-${container.length % 2}`,
    restarts: 0,
    state: { kind: 'running', restarts: 0 },
  };
}

/** Whether a source argument selects a container: by its workload, or by its own name. */
export function selects(argument: string, container: string): boolean {
  return argument === container.split('/')[0] || argument === `shop:pods/${container}/app`;
}

export function compareTime(a: Timestamp, b: Timestamp): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}
