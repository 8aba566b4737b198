import { NAMESPACES, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { isAbsentObject, isKubeError } from '@logtool/kube/src/errors.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { NameList } from '@logtool/kube/src/values/failures.ts';
import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import {
  type AbsentObject,
  type NamespaceEffect,
  nameList,
  resolveFailure,
} from '../../domain/resolve-failures.ts';
import { sourceKindOf } from '../../domain/source-kinds.ts';
import type { SourceSpec } from '../../domain/source-syntax.ts';
import type { ResolveContext } from '../context.ts';
import { readLabels, readOwners } from '../pods/pod-facts.ts';
import { kindsText, objectText } from '../sources/find-kind.ts';
import { isType } from '../track/roots.ts';

/** Maximum number of names to compare for a suggestion. */
const MAX_NAMES = 5000;
/** Maximum number of objects of the kind that a message names. */
const MAX_SIBLINGS = 5;

/** Returns the error for a named object that does not exist, with what may have been meant if lists are permitted. */
export async function describeMissing(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  namespace: string,
): Promise<CodedError> {
  const kind = type.singular === '' ? type.plural : type.singular;
  const name = spec.name.text;
  const maySuggest = context.suggestions.take();
  const siblings = maySuggest
    ? await readNames(context, type, type.namespaced ? namespace : undefined)
    : undefined;
  if (type.namespaced && (siblings === undefined || siblings.length === 0)) {
    const effect = { lacks: 'object', kind, name } as const;
    const absent = await describeNamespace(context, namespace, effect, () => maySuggest);
    if (absent !== undefined) return absent;
  }
  return resolveFailure('source-not-found', {
    kind,
    name,
    scope: type.namespaced ? { in: 'namespace', namespace } : { in: 'cluster' },
    ...meantBy(spec, type, siblings ?? []),
    existing: maySuggest ? { kinds: kindsText(type), names: siblings && listOf(siblings) } : undefined,
    containerOf: podOfContainer(context, spec),
  });
}

/** Returns what a name may have meant: objects of that kind, or a kind. */
function meantBy(
  { kind, name, namespace }: SourceSpec,
  type: ResourceType,
  siblings: readonly KubeObject[],
): Pick<AbsentObject, 'meantKind' | 'near'> {
  const meantKind = kind === undefined ? sourceKindOf(name.text) : undefined;
  const near = meantKind === undefined ? nearSources(name.text, type, siblings) : [`${meantKind}/*`];
  const prefix = namespace === undefined ? '' : `${namespace.text}:`;
  return { meantKind, near: near.map((text) => prefix + text) };
}

function listOf(siblings: readonly KubeObject[]): NameList {
  return nameList(
    siblings.map(({ metadata }) => metadata.name),
    MAX_SIBLINGS,
  );
}

/** `kubectl logs POD CONTAINER` takes the container as a second argument. */
function podOfContainer(
  { plan }: ResolveContext,
  { argument, kind, namespace }: SourceSpec,
): string | undefined {
  const [pod, container, ...others] = plan.sources;
  const isPair = others.length === 0 && kind === undefined && namespace === undefined;
  return isPair && container === argument ? pod : undefined;
}

/** Returns suggestions in the form the user can type. Pods also reveal the workloads they belong to. */
function nearSources(name: string, type: ResourceType, siblings: readonly KubeObject[]): readonly string[] {
  const isPod = isType(type, PODS);
  const byName = new Map(
    siblings.map(({ metadata }) => [metadata.name, isPod ? metadata.name : objectText(type, metadata.name)]),
  );
  if (isPod) for (const text of workloadsOf(siblings)) byName.set(text.slice(text.indexOf('/') + 1), text);
  return nearNames(name, byName.keys()).flatMap((near) => byName.get(near) ?? []);
}

/** Returns the workloads that the owners of pods name: `deployments/web` from ReplicaSet web-7d9f8. */
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

/**
 * Returns the error if the namespace itself does not exist. Returns undefined if it exists or may not be read.
 * `effect`: what follows.
 * A confined reader gets suggestions among the allowed namespaces only. Others get them if `maySuggest` returns true.
 */
export async function describeNamespace(
  context: ResolveContext,
  namespace: string,
  effect: NamespaceEffect,
  maySuggest = () => context.suggestions.take(),
): Promise<CodedError | undefined> {
  const { client, signal, plan } = context;
  try {
    await client.getMetadata(NAMESPACES, { name: namespace }, { signal });
    return undefined;
  } catch (error) {
    // Without permission to read namespaces, the message covers only the object.
    if (!isAbsentObject(error)) return undefined;
  }
  const namespaces =
    plan.confinedTo?.filter((name) => name !== namespace) ??
    (maySuggest() ? await readNames(context, NAMESPACES, undefined) : undefined)?.map(
      ({ metadata }) => metadata.name,
    );
  const near = nearNames(namespace, namespaces ?? []);
  return resolveFailure('namespace-missing', { namespace, effect, near });
}

/** Returns names for suggestions, or undefined if they cannot be read: that is not the error to report. */
async function readNames(
  context: ResolveContext,
  type: ResourceType,
  namespace: string | undefined,
): Promise<readonly KubeObject[] | undefined> {
  const found: KubeObject[] = [];
  try {
    const query = { namespace, metadataOnly: true };
    for await (const page of context.client.list(type, query, { signal: context.signal })) {
      for (const object of page.items) found.push(object);
      if (found.length >= MAX_NAMES) break;
    }
  } catch (error) {
    if (!isKubeError(error)) throw error;
    return undefined;
  }
  return found;
}
