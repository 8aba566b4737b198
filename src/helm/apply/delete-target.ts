import type { KubeClient, RequestOptions } from '../../kube/client.ts';
import { isAbsentObject } from '../../kube/errors.ts';
import type { Target } from './target.ts';

const POLICY = 'helm.sh/resource-policy';

/**
 * Whether the resource policy says that an object outlives its release
 * (https://helm.sh/docs/howto/charts_tips_and_tricks/#tell-helm-not-to-uninstall-a-resource).
 */
export function isKept(annotations: Readonly<Record<string, string>> = {}): boolean {
  return Object.hasOwn(annotations, POLICY) && isKeep(annotations[POLICY]);
}

/** As `isKept`, of an object in a manifest. */
export function isKeptTarget({ object }: Target): boolean {
  const metadata = object.content.get('metadata');
  const annotations = metadata instanceof Map ? metadata.get('annotations') : undefined;
  return annotations instanceof Map && isKeep(annotations.get(POLICY));
}

const isKeep = (policy: unknown) => typeof policy === 'string' && policy.trim().toLowerCase() === 'keep';

/** Deletes an object, what hangs on it in the background. False: it was gone already. */
export async function deleteTarget(
  client: KubeClient,
  { object, type, namespace }: Target,
  options: RequestOptions,
): Promise<boolean> {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
  try {
    await client.delete(type, { namespace, name: object.name }, { ...options, body });
    return true;
  } catch (error) {
    if (isAbsentObject(error)) return false;
    throw error;
  }
}
