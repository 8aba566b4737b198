import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { BackendChoice, RotatedChoice } from '../domain/window.ts';
import type { LogBackend } from './log-backend.ts';

/** Which logs of containers to read, and from where. */
export interface BackendPlan {
  readonly rotated: RotatedChoice;
  /** Default: the log API. */
  readonly backend?: BackendChoice | undefined;
}

/** Returns what reads logs instead of the log API, if it is wanted; loads it only then. */
export async function openBackend(
  { rotated, backend }: BackendPlan,
  client: KubeClient,
  clock: Clock,
): Promise<LogBackend | undefined> {
  if (backend === 'auto') {
    const { AgentLogs } = await import('./agent-logs.ts');
    return new AgentLogs(client);
  }
  if (rotated === 'no') return undefined;
  const { NodeLogs } = await import('./node-logs.ts');
  return new NodeLogs({ client, clock, files: rotated === 'only' ? 'rotated' : 'all' });
}
