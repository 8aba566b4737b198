import type { KubeObject } from '@logtool/kube/src/client.ts';
import type { Fact } from '../../domain/facts/fact.ts';

/**
 * The kubelet reports events of a static pod under the UID of its file, which the mirror pod has in an annotation:
 * `kubectl describe` looks them up by it. Returns the facts with the UIDs of the pods.
 */
export function withOwnUids(facts: readonly Fact[], pods: Iterable<KubeObject>): readonly Fact[] {
  const own = new Map<string, string>();
  for (const { metadata } of pods) {
    const mirrored = metadata.annotations?.['kubernetes.io/config.mirror'];
    if (mirrored !== undefined) own.set(mirrored, metadata.uid);
  }
  if (own.size === 0) return facts;
  return facts.map((fact) => {
    const uid = own.get(fact.subject.uid);
    return uid === undefined || fact.subject.kind !== 'Pod'
      ? fact
      : { ...fact, subject: { ...fact.subject, uid } };
  });
}
