import type { KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { findType } from '../apply/target.ts';
import type { Lookup } from '../render/lookup.ts';
import { fromPlain } from '../value/plain.ts';
import type { ValueMap } from '../value/value.ts';
import type { ActionContext } from './action.ts';

/**
 * Returns the `lookup` function of templates: it reads an object, or, without a name, the list of its kind. The result
 * for a missing object is an empty map; a kind that the cluster does not serve is an error, as in Helm.
 */
export function clusterLookup(context: ActionContext, types: readonly ResourceType[]): Lookup {
  return async ([apiVersion, kind, namespace, name]) => {
    const type = findType(types, { apiVersion, kind });
    if (type === undefined)
      throw new Error(`unable to get apiresource from unstructured: ${apiVersion}, Kind=${kind}`);
    const scope = type.namespaced && namespace !== '' ? namespace : undefined;
    if (name !== '') return findObject(context, type, { namespace: scope ?? 'default', name });
    return listOf(apiVersion, kind, await findList(context, type, scope));
  };
}

async function findObject(
  { client, signal }: ActionContext,
  type: ResourceType,
  id: { readonly namespace: string; readonly name: string },
): Promise<ValueMap> {
  try {
    return fromPlain(await client.get(type, id, { signal })) as ValueMap;
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
    return new Map();
  }
}

async function findList(
  { client, signal }: ActionContext,
  type: ResourceType,
  namespace: string | undefined,
): Promise<readonly KubeObject[]> {
  const items: KubeObject[] = [];
  try {
    for await (const page of client.list(type, { namespace }, { signal })) items.push(...page.items);
  } catch (error) {
    // A definition of the chart will add the kind later.
    if (!isKubeError(error, 'not-found')) throw error;
    return [];
  }
  return items;
}

function listOf(apiVersion: string, kind: string, items: readonly KubeObject[]): ValueMap {
  // List items omit their kind and version; Helm adds both.
  const whole = items.map((item) => ({ apiVersion, kind, ...item }));
  return fromPlain({ apiVersion, kind: `${kind}List`, items: whole, metadata: {} }) as ValueMap;
}
