import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RunIdentity } from './runtime.ts';

/** Object names may not leave the log folder, whatever a scenario says. */
const NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/;

/** `<namespace>_<pod>_<uid>/<container>/<restartCount>.log`. Throws a RangeError for names that are none. */
export function pathInPodLogs(run: RunIdentity): string {
  for (const name of [run.node, run.namespace, run.pod, run.podUid, run.container]) {
    if (!NAME.test(name) || name.includes('..')) throw new RangeError(`not a name: ${JSON.stringify(name)}`);
  }
  if (!Number.isSafeInteger(run.restartCount) || run.restartCount < 0) {
    throw new RangeError(`not a restart count: ${run.restartCount}`);
  }
  return `${podFolder(run)}/${run.container}/${run.restartCount}.log`;
}

export function podFolder(run: Pick<RunIdentity, 'namespace' | 'pod' | 'podUid'>): string {
  return `${run.namespace}_${run.pod}_${run.podUid}`;
}

/** Where the file lies on this machine: the nodes' /var/log/pods lie side by side. */
export function logFilePath(directory: string, run: RunIdentity): string {
  return join(directory, run.node, pathInPodLogs(run));
}

/** Where it lies from the node's point of view, as error texts name it. */
export function pathOnNode(run: RunIdentity): string {
  return `/var/log/pods/${pathInPodLogs(run)}`;
}

/** The container ID that this run gets under a seed. */
export function containerIdOf(seed: number, run: RunIdentity): string {
  const text = [seed, run.podUid, run.container, run.restartCount].join('\0');
  return `containerd://${createHash('sha256').update(text).digest('hex')}`;
}
