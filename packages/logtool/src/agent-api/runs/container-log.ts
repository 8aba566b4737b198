import { createHash } from 'node:crypto';
import type { FileFacts, RunFacts } from './run-facts.ts';

/** One run of a container as an object of the API. */
export interface ContainerLog {
  readonly apiVersion: 'logtool.dev/v1alpha1';
  readonly kind: 'ContainerLog';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string | null;
  };
  readonly spec: {
    readonly podName: string;
    /** For a static pod, the hash of its definition. */
    readonly podUID: string;
    readonly nodeName: string;
    readonly containerName: string;
    readonly run: number;
  };
  readonly status: {
    /** Of all files, as they are on the disk. */
    readonly bytes: number;
    readonly files: readonly FileFacts[];
    /** The stamp of the oldest line; null: unknown. */
    readonly firstTime: string | null;
    /** When the newest file was last written to. */
    readonly lastTime: string;
    /** Absent: the agents count nothing, or there is no line. */
    readonly lastMinute?: string;
    readonly perMinute?: readonly (number | null)[];
    readonly errorsPerMinute?: readonly (number | null)[] | undefined;
  };
}

/** Makes the object of a run on a node, at a version. */
export function containerLog(node: string, facts: RunFacts, resourceVersion: string): ContainerLog {
  const { namespace, pod, podUid, container, run, files, lastTime, activity } = facts;
  const firstTime = files[0]?.firstTime ?? null;
  return {
    apiVersion: 'logtool.dev/v1alpha1',
    kind: 'ContainerLog',
    metadata: {
      // Pods of the same name have the first digits of their UIDs to tell them apart.
      name: `${pod}.${container}.${run}.${podUid.slice(0, 8)}`,
      namespace,
      uid: uidOf([node, namespace, pod, podUid, container, String(run)]),
      resourceVersion,
      creationTimestamp: wholeSecond(firstTime),
    },
    spec: { podName: pod, podUID: podUid, nodeName: node, containerName: container, run },
    status: {
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      files,
      firstTime,
      lastTime,
      ...activity,
    },
  };
}

/** Times of metadata have no fraction. */
function wholeSecond(stamp: string | null): string | null {
  const ms = stamp === null ? Number.NaN : Date.parse(stamp);
  return Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The same for the same run, and in the form of a UUID. */
function uidOf(names: readonly string[]): string {
  const digits = createHash('sha256').update(names.join('/')).digest('hex');
  return [0, 8, 12, 16, 20].map((from, at) => digits.slice(from, [8, 12, 16, 20, 32][at])).join('-');
}

/** The order of a list. */
export function compareContainerLogs(a: ContainerLog, b: ContainerLog): number {
  const keys = ({ metadata, spec }: ContainerLog) => [metadata.namespace, spec.podName, spec.containerName];
  const [as, bs] = [keys(a), keys(b)];
  for (const [at, text] of as.entries()) if (text !== bs[at]) return text < (bs[at] ?? '') ? -1 : 1;
  return a.spec.run - b.spec.run || (a.metadata.uid < b.metadata.uid ? -1 : 1);
}
