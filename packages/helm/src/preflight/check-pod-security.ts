import { NAMESPACES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, RequestOptions } from '@logtool/kube/src/client.ts';
import { isAbsentObject, isKubeError } from '@logtool/kube/src/errors.ts';
import { objectText } from '../apply/cluster-object.ts';
import { podSpecOf } from '../apply/images-of.ts';
import type { Target } from '../apply/target.ts';
import { helmFailure } from '../failures.ts';

/** https://kubernetes.io/docs/concepts/security/pod-security-admission/#pod-security-admission-labels-for-namespaces */
const ENFORCE = 'pod-security.kubernetes.io/enforce';
/** The levels that admit no pod with a hostPath volume. */
const STRICT: ReadonlySet<string> = new Set(['baseline', 'restricted']);

/**
 * Checks that namespaces admit pods that mount folders of their nodes: the cluster takes the object that makes such pods,
 * and then refuses each pod, which shows only much later. A namespace without the label, without existence, or that this
 * user may not read is not judged.
 * @throws CodedError `pod-security`
 */
export async function checkPodSecurity(
  client: KubeClient,
  targets: readonly Target[],
  options: RequestOptions,
): Promise<void> {
  const mounting = targets.filter(mountsNode);
  for (const namespace of new Set(mounting.map((target) => target.namespace ?? ''))) {
    const level = await levelOf(client, namespace, options);
    if (!STRICT.has(level)) continue;
    const objects = mounting
      .filter((target) => target.namespace === namespace)
      .map(({ object }) => objectText(object));
    throw helmFailure('pod-security', { namespace, level, objects });
  }
}

function mountsNode({ object }: Target): boolean {
  const volumes = podSpecOf(object)?.get('volumes');
  return Array.isArray(volumes) && volumes.some((volume) => volume instanceof Map && volume.has('hostPath'));
}

async function levelOf(client: KubeClient, namespace: string, options: RequestOptions): Promise<string> {
  if (namespace === '') return '';
  try {
    const { metadata } = await client.get(NAMESPACES, { name: namespace }, options);
    return metadata.labels?.[ENFORCE] ?? '';
  } catch (error) {
    if (isAbsentObject(error) || isKubeError(error, 'forbidden')) return '';
    throw error;
  }
}
