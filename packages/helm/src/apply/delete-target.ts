import type { KubeClient, KubeObject, RequestOptions } from '@logtool/kube/src/client.ts';
import { isAbsentObject, isKubeError } from '@logtool/kube/src/errors.ts';
import { readLive } from './ownership.ts';
import type { Target } from './target.ts';

const POLICY = 'helm.sh/resource-policy';

/**
 * Whether the resource policy keeps an object when its release is deleted
 * (https://helm.sh/docs/howto/charts_tips_and_tricks/#tell-helm-not-to-uninstall-a-resource).
 */
export function isKept(annotations: Readonly<Record<string, string>> = {}): boolean {
  return Object.hasOwn(annotations, POLICY) && isKeep(annotations[POLICY]);
}

/** Like `isKept`, for an object in a manifest. */
export function isKeptTarget({ object }: Target): boolean {
  const metadata = object.content.get('metadata');
  const annotations = metadata instanceof Map ? metadata.get('annotations') : undefined;
  return annotations instanceof Map && isKeep(annotations.get(POLICY));
}

const isKeep = (policy: unknown) => typeof policy === 'string' && policy.trim().toLowerCase() === 'keep';

/** The outcome of a deletion; `replaced`: another object now has the name, and stays. */
export type Deletion = 'deleted' | 'absent' | 'replaced';

/** Deletes exactly the object that was read, and its dependents in the background. */
export async function deleteTarget(
  client: KubeClient,
  target: Target,
  { metadata: { uid } }: KubeObject,
  options: RequestOptions,
): Promise<Deletion> {
  const { object, type, namespace } = target;
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: 'Background',
    preconditions: { uid },
  };
  try {
    await client.delete(type, { namespace, name: object.name }, { ...options, body });
    return 'deleted';
  } catch (error) {
    if (isAbsentObject(error)) return 'absent';
    if (!isKubeError(error, 'conflict')) throw error;
    // A namespace that is already terminating conflicts too.
    const now = await readLive(client, target, options);
    if (now === undefined) return 'absent';
    if (now.metadata.uid === uid) throw error;
    return 'replaced';
  }
}
