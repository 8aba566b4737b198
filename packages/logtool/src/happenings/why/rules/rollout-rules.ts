import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import type { Verdict } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, factsOf } from '../evidence.ts';
import { hasRecovered, makeVerdict, type Rule } from '../make-verdict.ts';
import type { PodNow } from '../pod-now.ts';

/**
 * Proof: the status of a StatefulSet or DaemonSet, which is not done, and the template of its pods that are not ready. A
 * DaemonSet replaces the next pods once those of the new template are ready. A StatefulSet waits for every pod, also for one
 * of a template that was undone meanwhile
 * (https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#forced-rollback).
 */
export const rolloutWaits: Rule = (evidence) => {
  const last = new Map(factsOf(evidence, 'rollout').map((fact) => [fact.subject.uid, fact]));
  return [...last.values()].flatMap((rollout) => waitOf(evidence, rollout));
};

function waitOf(evidence: Evidence, rollout: FactOf<'rollout'>): readonly Verdict[] {
  const { subject, data } = rollout;
  const name = data.controllerRevision;
  if (data.isOver !== false || data.revision === 1 || name === undefined) return [];
  const pods = evidence.pods.filter(
    ({ owner, isDeleting, subject: { namespace } }) =>
      owner?.kind === subject.kind &&
      owner.name === subject.name &&
      namespace === subject.namespace &&
      !isDeleting,
  );
  const outdated = pods.filter((pod) => !isOf(pod, name));
  const isHeld = (pod: PodNow) => !hasRecovered(evidence, pod) && isOld(evidence, pod);
  const held = subject.kind === 'StatefulSet' ? outdated.filter(isHeld) : [];
  const waited = held.length > 0 ? held : pods.filter((pod) => isOf(pod, name) && isHeld(pod));
  if (outdated.length === 0 || waited.length === 0) return [];
  const updated = pods.length - outdated.length;
  const uids = new Set(waited.map((pod) => pod.subject.uid));
  const lost = factsOf(evidence, 'not-ready').filter((fact) => uids.has(fact.subject.uid));
  const verdict = makeVerdict(
    evidence,
    'rollout-waits',
    {
      kind: subject.kind,
      name: subject.name,
      images: data.images,
      updated,
      total: pods.length,
      isOutdated: held.length > 0,
    },
    [rollout, ...lost] as readonly [Fact, ...Fact[]],
    { pods: waited.map((pod) => pod.subject), isOver: false },
  );
  return [verdict];
}

/** A StatefulSet labels its pods with the whole name of the revision, a DaemonSet with its hash. */
function isOf({ revision }: PodNow, name: string): boolean {
  return revision !== undefined && (name === revision || name.endsWith(`-${revision}`));
}

/** A pod that was just created may become ready as usual. */
function isOld({ now }: Evidence, { createdAt }: PodNow): boolean {
  return createdAt === undefined || now.seconds - createdAt.seconds >= START_SECONDS;
}

const START_SECONDS = 60;
