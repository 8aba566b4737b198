import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactSubject, ImageChange } from '../domain/facts/fact.ts';
import { countOf, listOf, textOf } from '../resolve/pods/read-json.ts';
import { timeOf } from './facts-of-pod.ts';

type Json = Readonly<Record<string, unknown>>;

/** Conditions that mean trouble while they have this status; of the others only the changes count. */
const TROUBLE: ReadonlyMap<string, string> = new Map([
  ['Available', 'False'],
  ['Progressing', 'False'],
  ['ReplicaFailure', 'True'],
  ['Failed', 'True'],
  ['FailureTarget', 'True'],
]);

/** The conditions of a Deployment, ReplicaSet or Job with the times of their last changes. */
export function factsOfConditions(kind: string, object: KubeObject): readonly Fact[] {
  const subject = subjectOf(kind, object);
  const status = asRecord((object as KubeObject & Json).status);
  return listOf(status?.conditions).flatMap((condition): readonly Fact[] => {
    const at = timeOf(condition.lastTransitionTime);
    const type = textOf(condition.type);
    const value = textOf(condition.status);
    if (at === undefined || type === undefined || value === undefined) return [];
    return [
      {
        id: `condition/${subject.uid}/${type}/${at.seconds}`,
        kind: 'workload-condition',
        at,
        precision: 's',
        severity: TROUBLE.get(type) === value ? 'warning' : 'normal',
        subject,
        reason: textOf(condition.reason) ?? '',
        message: textOf(condition.message) ?? '',
        count: 1,
        source: 'workload',
        data: { type, status: value },
      },
    ];
  });
}

/**
 * The rollouts of a workload, from its ReplicaSets or ControllerRevisions: revision, and what became of the images.
 * A controller that goes back to an earlier template uses its old object again under a new revision, so that its
 * creation says only that the rollout was later than that of the revision before
 * (k8s.io/kubernetes/pkg/controller/deployment/util, SetNewReplicaSetAnnotations; pkg/controller/history).
 */
export function factsOfRevisions(
  kind: string,
  workload: KubeObject,
  objects: readonly KubeObject[],
): readonly Fact[] {
  const subject = subjectOf(kind, workload);
  const revisions = objects
    .flatMap((object) => readRevision(object) ?? [])
    .sort((a, b) => a.revision - b.revision);
  const replicas = countOf(asRecord((workload as KubeObject & Json).spec)?.replicas);
  return revisions.map(({ revision, createdAt, images }, index): Fact => {
    const before = revisions[index - 1];
    const isReused = before !== undefined && compareTimestamps(createdAt, before.createdAt) < 0;
    return {
      id: `rollout/${subject.uid}/${revision}`,
      kind: 'rollout',
      at: isReused ? before.createdAt : createdAt,
      precision: 's',
      bound: isReused ? 'not-before' : undefined,
      severity: 'normal',
      subject,
      reason: '',
      message: '',
      count: 1,
      source: 'workload',
      data: {
        revision,
        images: changesOf(before?.images ?? new Map(), images),
        replicas: index === revisions.length - 1 ? replicas : undefined,
      },
    };
  });
}

function readRevision(object: KubeObject) {
  const { metadata, spec, revision, data } = object as KubeObject & Json;
  const annotated = Number(metadata.annotations?.['deployment.kubernetes.io/revision']);
  const number = countOf(revision) ?? (Number.isSafeInteger(annotated) ? annotated : undefined);
  const createdAt = timeOf(metadata.creationTimestamp);
  if (number === undefined || createdAt === undefined) return undefined;
  // A ControllerRevision holds a patch of its workload.
  const template = asRecord((asRecord(asRecord(data)?.spec) ?? asRecord(spec))?.template);
  return { revision: number, createdAt, images: imagesOf(asRecord(template?.spec)) };
}

function imagesOf(pod: Json | undefined): ReadonlyMap<string, string> {
  const images = new Map<string, string>();
  for (const { name, image } of [...listOf(pod?.initContainers), ...listOf(pod?.containers)])
    if (typeof name === 'string' && typeof image === 'string') images.set(name, image);
  return images;
}

/** Only the images that differ; none where the template changed in another way. */
function changesOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly ImageChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .map((container) => ({ container, from: before.get(container), to: after.get(container) }))
    .filter(({ from, to }) => from !== to);
}

/** An object as the subject of a fact. `kind`: lists leave it out of their items. */
export function subjectOf(kind: string, { metadata }: KubeObject): FactSubject {
  return { kind, namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid };
}
