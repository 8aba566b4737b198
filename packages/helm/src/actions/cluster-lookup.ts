import type { KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { findType } from '../apply/target.ts';
import type { Lookup } from '../render/lookup.ts';
import { fromPlain } from '../value/plain.ts';
import type { ValueMap } from '../value/value.ts';
import type { ActionContext } from './action.ts';

/**
 * What templates look up in the cluster: an object, or, without a name, the list of its kind. What is not there is an
 * empty map; a kind that is not served is an error, as in Helm.
 */
export function clusterLookup(context: ActionContext, types: readonly ResourceType[]): Lookup {
  const { client, signal } = context;
  return async ([apiVersion, kind, namespace, name]) => {
    const type = findType(types, { apiVersion, kind });
    if (type === undefined)
      throw new Error(`unable to get apiresource from unstructured: ${apiVersion}, Kind=${kind}`);
    const place = type.namespaced && namespace !== '' ? namespace : undefined;
    try {
      if (name !== '')
        return fromPlain(
          await client.get(type, { namespace: place ?? 'default', name }, { signal }),
        ) as ValueMap;
      const items: KubeObject[] = [];
      for await (const page of client.list(type, { namespace: place }, { signal })) items.push(...page.items);
      return listOf(apiVersion, kind, items);
    } catch (error) {
      if (!isKubeError(error, 'not-found')) throw error;
      // The kind is about to come with a definition of the chart.
      return name === '' ? listOf(apiVersion, kind, []) : new Map();
    }
  };
}

function listOf(apiVersion: string, kind: string, items: readonly KubeObject[]): ValueMap {
  // Items of a list say neither kind nor version; Helm gives them both.
  const whole = items.map((item) => ({ apiVersion, kind, ...item }));
  return fromPlain({ apiVersion, kind: `${kind}List`, items: whole, metadata: {} }) as ValueMap;
}
