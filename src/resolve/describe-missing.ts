import { LogtoolError } from '../domain/errors.ts';
import { nearNames } from '../domain/near-names.ts';
import { sourceKindOf } from '../domain/source-kinds.ts';
import type { SourceSpec } from '../domain/source-syntax.ts';
import { NAMESPACES, PODS } from '../kube/builtin-resources.ts';
import type { KubeObject, ResourceType } from '../kube/client.ts';
import { isKubeError } from '../kube/errors.ts';
import type { ResolveContext } from './context.ts';
import { objectText } from './find-kind.ts';
import { readLabels, readOwners } from './pod-facts.ts';
import { isType } from './roots.ts';

/** Names looked at for a suggestion. */
const MOST_NAMES = 5000;

/** The error for a named object that is not there, with what may have been meant where lists are permitted. */
export async function describeMissing(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  namespace: string,
): Promise<LogtoolError> {
  const name = spec.name.text;
  const prefix = spec.namespace === undefined ? '' : `${spec.namespace.text}:`;
  const what = `${type.singular === '' ? type.plural : type.singular} "${name}" was not found`;
  const siblings = await readNames(context, type, type.namespaced ? namespace : undefined);
  const place = type.namespaced ? `in namespace "${namespace}"` : 'in the cluster';
  if (siblings.length === 0 && type.namespaced) {
    const absent = await describeNamespace(context, namespace, what);
    if (absent !== undefined) return absent;
  }
  const isPod = isType(type, PODS);
  const kind = spec.kind === undefined ? sourceKindOf(name) : undefined;
  const candidates = isPod
    ? [...siblings.map((pod) => pod.metadata.name), ...workloadsOf(siblings)]
    : siblings.map((object) => objectText(type, object.metadata.name));
  const near = isPod
    ? nearSources(name, candidates)
    : nearNames(objectText(type, name), candidates).map((text) => text);
  const suggestions = kind === undefined ? near : [`${kind}/*`];
  return new LogtoolError({
    code: 'not-found',
    what: `${what} ${place}`,
    why:
      kind !== undefined
        ? `"${name}" alone is the name of a pod; for all ${kind} write ${prefix}${kind}/*`
        : siblings.length === 0
          ? 'no name to compare with could be read'
          : undefined,
    next:
      suggestions.length > 0
        ? `did you mean ${suggestions.map((text) => prefix + text).join(' or ')}?`
        : 'check the name, and the namespace with -n',
  });
}

/** Pods by their names, workloads by the name behind the slash. The workloads that fit come first. */
function nearSources(name: string, candidates: readonly string[]): readonly string[] {
  const byName = new Map<string, string>();
  for (const candidate of candidates) byName.set(candidate.slice(candidate.indexOf('/') + 1), candidate);
  return nearNames(name, byName.keys()).flatMap((near) => byName.get(near) ?? []);
}

/** Workloads that pods tell of by their owners: `deployments/web` from ReplicaSet web-7d9f8. */
function workloadsOf(pods: readonly KubeObject[]): readonly string[] {
  const found = new Set<string>();
  for (const { metadata } of pods) {
    const hash = readLabels(metadata.labels).get('pod-template-hash');
    for (const owner of readOwners(metadata.ownerReferences)) {
      if (owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)) {
        found.add(`deployments/${owner.name.slice(0, -hash.length - 1)}`);
      } else if (['StatefulSet', 'DaemonSet', 'Job'].includes(owner.kind)) {
        found.add(`${owner.kind.toLowerCase()}s/${owner.name}`);
      }
    }
  }
  return [...found];
}

async function describeNamespace(
  context: ResolveContext,
  namespace: string,
  what: string,
): Promise<LogtoolError | undefined> {
  const { client, signal } = context;
  try {
    await client.getMetadata(NAMESPACES, { name: namespace }, { signal });
    return undefined;
  } catch (error) {
    // Whoever may not read namespaces is told about the object alone.
    if (!isKubeError(error, 'not-found')) return undefined;
  }
  const near = nearNames(
    namespace,
    (await readNames(context, NAMESPACES, undefined)).map(({ metadata }) => metadata.name),
  );
  return new LogtoolError({
    code: 'namespace-not-found',
    what: `namespace "${namespace}" does not exist`,
    why: `so ${what}`,
    next:
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'kubectl get namespaces lists those there are',
  });
}

/** Names for suggestions; none where they cannot be read, because the error to tell is another one. */
async function readNames(
  context: ResolveContext,
  type: ResourceType,
  namespace: string | undefined,
): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  try {
    const query = { namespace, metadataOnly: true };
    for await (const page of context.client.list(type, query, { signal: context.signal })) {
      for (const object of page.items) found.push(object);
      if (found.length >= MOST_NAMES) break;
    }
  } catch (error) {
    if (!isKubeError(error)) throw error;
  }
  return found;
}
