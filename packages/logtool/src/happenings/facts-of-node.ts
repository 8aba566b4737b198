import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact } from '../domain/facts/fact.ts';
import { listOf, textOf } from '../resolve/pods/read-json.ts';
import { timeOf } from './facts-of-pod.ts';
import { subjectOf } from './facts-of-workload.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the conditions of a node that changed since a time, and its dated taints. `since`: when the first
 * pod in view was created; earlier changes had no effect on the pods.
 */
export function factsOfNode(object: KubeObject, since: Timestamp): readonly Fact[] {
  const { spec, status } = object as KubeObject & Json;
  const subject = subjectOf('Node', object);
  const conditions = listOf(asRecord(status)?.conditions).flatMap((condition): readonly Fact[] => {
    const at = timeOf(condition.lastTransitionTime);
    const type = textOf(condition.type);
    const value = textOf(condition.status);
    if (at === undefined || type === undefined || value === undefined) return [];
    // The other conditions report trouble while true:
    // https://kubernetes.io/docs/reference/node/node-status/#condition
    const isTrouble = type === 'Ready' ? value !== 'True' : value === 'True';
    if (!isTrouble && compareTimestamps(at, since) <= 0) return [];
    return [
      {
        id: `node/${subject.uid}/${type}/${at.seconds}`,
        kind: 'node-condition',
        at,
        precision: 's',
        severity: isTrouble ? 'warning' : 'normal',
        subject,
        reason: textOf(condition.reason) ?? '',
        message: textOf(condition.message) ?? '',
        count: 1,
        source: 'node',
        data: { type, status: value },
      },
    ];
  });
  const taints = listOf(asRecord(spec)?.taints).flatMap((taint): readonly Fact[] => {
    // Only taints that evict have a time.
    const at = timeOf(taint.timeAdded);
    const key = textOf(taint.key);
    if (at === undefined || key === undefined) return [];
    return [
      {
        id: `taint/${subject.uid}/${key}/${at.seconds}`,
        ...UNWORDED,
        kind: 'node-taint',
        at,
        subject,
        data: { key, effect: textOf(taint.effect) ?? '' },
      },
    ];
  });
  return [...conditions, ...taints, ...factOfClock(object)];
}

/** What is the same of all that a node's object shows without words of its own. */
const UNWORDED = {
  precision: 's',
  severity: 'warning',
  reason: '',
  message: '',
  count: 1,
  source: 'node',
} as const satisfies Partial<Fact>;

/** A kubelet's write may take this long after it has read its clock: the time limit of its requests, twice. */
const MAX_WRITE_SECONDS = 20;
/** Times of whole seconds. */
const ROUNDING_SECONDS = 1;
const HEARTBEAT = 'f:lastHeartbeatTime';

/**
 * Compares the clocks of a node and the API server, as far as the node's object shows them: a kubelet writes its own
 * time into the conditions, and the API server its time into the record of that write (managedFields). A heartbeat from
 * later than its own write proves that the node is ahead; one from long before it, that it is behind, if the kubelet has
 * written nothing else through the status. The difference is at least the one given. Kubelets with another name in
 * managedFields share it with controllers, so theirs prove nothing.
 */
function factOfClock(object: KubeObject): readonly Fact[] {
  const written = statusWrites(object).find(({ manager }) => manager === 'kubelet');
  const at = timeOf(written?.time);
  const fields = asRecord(written?.fieldsV1);
  const owned = asRecord(asRecord(fields?.['f:status'])?.['f:conditions']) ?? {};
  const { status } = object as KubeObject & Json;
  const beats = listOf(asRecord(status)?.conditions).flatMap(({ type, lastHeartbeatTime }) => {
    const isOwn = asRecord(owned[`k:{"type":"${textOf(type)}"}`])?.[HEARTBEAT] !== undefined;
    return (isOwn ? timeOf(lastHeartbeatTime)?.seconds : undefined) ?? [];
  });
  if (at === undefined || beats.length === 0) return [];
  const ahead = Math.max(...beats) - at.seconds - ROUNDING_SECONDS;
  const slow = fields?.['f:metadata'] === undefined ? at.seconds - Math.max(...beats) - MAX_WRITE_SECONDS : 0;
  const offset = ahead > 0 ? ahead : -Math.max(0, slow);
  if (offset === 0) return [];
  const subject = subjectOf('Node', object);
  return [
    {
      id: `clock/${subject.uid}`,
      ...UNWORDED,
      kind: 'node-clock',
      at,
      subject,
      data: { offsetMs: offset * 1_000 },
    },
  ];
}

/** Who last wrote which fields of the status, and when. */
function statusWrites({ metadata }: KubeObject): readonly Json[] {
  return listOf((metadata as unknown as Json).managedFields).filter(
    ({ subresource }) => subresource === 'status',
  );
}

/** Returns the ID of the node's current boot; undefined if it reports none. */
export function bootIdOf(object: KubeObject): string | undefined {
  const status = asRecord((object as KubeObject & Json).status);
  return textOf(asRecord(status?.nodeInfo)?.bootID);
}

/**
 * Returns the fact that the node came up with another boot ID, at the earliest when it was last seen with the
 * old one.
 */
export function rebootFact(object: KubeObject, bootId: string, seenBefore: Timestamp): Fact {
  const subject = subjectOf('Node', object);
  return {
    id: `reboot/${subject.uid}/${bootId}`,
    kind: 'node-rebooted',
    at: seenBefore,
    precision: 's',
    bound: 'not-before',
    severity: 'warning',
    subject,
    reason: '',
    message: '',
    count: 1,
    source: 'node',
    data: { bootId },
  };
}

/** Returns when the node last reported its readiness, from its heartbeat, in seconds. */
export function heartbeatOf(object: KubeObject): Timestamp | undefined {
  const status = asRecord((object as KubeObject & Json).status);
  const ready = listOf(status?.conditions).find(({ type }) => type === 'Ready');
  return timeOf(ready?.lastHeartbeatTime);
}

/** Returns a node without its images, the largest part of it. */
export function slimNode(object: KubeObject): KubeObject {
  const { metadata, spec, status } = object as KubeObject & Json;
  const { name, uid, resourceVersion, creationTimestamp } = metadata;
  const managedFields = statusWrites(object);
  const { conditions, nodeInfo } = asRecord(status) ?? {};
  return {
    metadata: { name, uid, resourceVersion, creationTimestamp, managedFields },
    spec: { taints: asRecord(spec)?.taints },
    status: { conditions, nodeInfo: { bootID: asRecord(nodeInfo)?.bootID } },
  } as unknown as KubeObject;
}
