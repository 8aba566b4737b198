import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogSource } from '../../../contract/log-source.ts';

export interface FakeLine extends Timestamp {
  readonly container: string;
  readonly text: string;
}

export function sourceOf(container: string, index: number): LogSource {
  return {
    index,
    id: container,
    run: 'run',
    order: `${container}/run`,
    arguments: [container.split('/')[0] ?? ''],
    namespace: 'shop',
    pod: container,
    container: 'app',
    kind: 'regular',
    node: `node-${container.length % 2}`,
    restarts: 0,
    state: { kind: 'running', restarts: 0 },
  };
}

export function compareTime(a: Timestamp, b: Timestamp): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}
