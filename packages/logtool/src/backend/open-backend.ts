import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { RotatedChoice } from '../domain/window.ts';
import type { LogBackend } from './log-backend.ts';

/** Returns what reads files that nodes rotated away, if they are wanted. Loads it only then. */
export async function openBackend(
  rotated: RotatedChoice,
  client: KubeClient,
  clock: Clock,
): Promise<LogBackend | undefined> {
  if (rotated === 'no') return undefined;
  const { NodeLogs } = await import('./node-logs.ts');
  return new NodeLogs({ client, clock, files: rotated === 'only' ? 'rotated' : 'all' });
}
