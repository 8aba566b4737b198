import type { ResourceType } from '@logtool/kube/src/client.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { type HelmFailures, helmFailure } from '../failures.ts';
import { type ClusterObject, metadataOf, objectText } from './cluster-object.ts';

/** An object of a manifest, with its resource type in the cluster and its namespace. */
export interface Target {
  readonly object: ClusterObject;
  readonly type: ResourceType;
  /** Undefined for cluster-scoped kinds. */
  readonly namespace: string | undefined;
}

/** Returns e.g. `Deployment "web" in namespace "shop"`. */
export function targetText({ object, namespace }: Target): string {
  return objectText(object, namespace);
}

/** Returns a key that identifies an object in the cluster, whichever version of its group the manifest uses. */
export function targetKey({ object, type, namespace }: Target): string {
  return JSON.stringify([type.group, object.kind, namespace ?? '', object.name]);
}

/**
 * Resolves the objects of a manifest to targets. Objects without a namespace get the release's, which is also written
 * into the object.
 * @throws CodedError `kind-unknown`, naming every kind that the cluster does not serve.
 */
export function resolveTargets(
  objects: readonly ClusterObject[],
  types: readonly ResourceType[],
  releaseNamespace: string,
): readonly Target[] {
  const unknown = new Map<string, { readonly kind: string; readonly apiVersion: string }>();
  const targets = objects.flatMap((object): Target[] => {
    const type = findType(types, object);
    if (type === undefined) {
      const { kind, apiVersion } = object;
      unknown.set(`${kind} ${apiVersion}`, { kind, apiVersion });
      return [];
    }
    const namespace = type.namespaced ? (object.namespace ?? releaseNamespace) : undefined;
    if (namespace !== undefined) metadataOf(object.content).set('namespace', namespace);
    return [{ object, type, namespace }];
  });
  if (unknown.size > 0) throw unknownKinds([...unknown.values()]);
  return targets;
}

/** Returns the type of an object; undefined if the cluster does not serve it. */
export function findType(
  types: readonly ResourceType[],
  object: Pick<ClusterObject, 'apiVersion' | 'kind'>,
): ResourceType | undefined {
  const slash = object.apiVersion.indexOf('/');
  const group = object.apiVersion.slice(0, Math.max(slash, 0));
  const version = object.apiVersion.slice(slash + 1);
  return types.find((type) => type.kind === object.kind && type.group === group && type.version === version);
}

function unknownKinds(kinds: HelmFailures['kind-unknown']['kinds']): CodedError {
  return helmFailure('kind-unknown', { kinds });
}
