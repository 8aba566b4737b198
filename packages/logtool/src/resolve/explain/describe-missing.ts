import { NAMESPACES, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { isAbsentObject, isKubeError } from '@logtool/kube/src/errors.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { sourceKindOf } from '../../domain/source-kinds.ts';
import type { SourceSpec } from '../../domain/source-syntax.ts';
import type { ResolveContext } from '../context.ts';
import { readLabels, readOwners } from '../pods/pod-facts.ts';
import { kindsText, objectText } from '../sources/find-kind.ts';
import { isType } from '../track/roots.ts';

/** Names that are compared for a suggestion. */
const MAX_NAMES = 5000;

/** The error for a named object that is not there, with what may have been meant where lists are permitted. */
export async function describeMissing(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  namespace: string,
): Promise<LogtoolError> {
  const what = `${type.singular === '' ? type.plural : type.singular} "${spec.name.text}" was not found`;
  const maySuggest = context.suggestions.take();
  const siblings = maySuggest
    ? await readNames(context, type, type.namespaced ? namespace : undefined)
    : undefined;
  if (type.namespaced && (siblings === undefined || siblings.length === 0)) {
    const absent = await describeNamespace(context, namespace, what, () => maySuggest);
    if (absent !== undefined) return absent;
  }
  const place = type.namespaced ? `in namespace "${namespace}"` : 'in the cluster';
  const why = maySuggest ? whichThereAre(type, place, siblings) : undefined;
  return missingError(context, spec, type, { what: `${what} ${place}`, why, siblings: siblings ?? [] });
}

function missingError(
  context: ResolveContext,
  spec: SourceSpec,
  type: ResourceType,
  { what, why, siblings }: { what: string; why: string | undefined; siblings: readonly KubeObject[] },
): LogtoolError {
  const name = spec.name.text;
  const kind = spec.kind === undefined ? sourceKindOf(name) : undefined;
  const parts = {
    code: 'not-found',
    what,
    why: kind === undefined ? why : `"${name}" without a kind is the name of a pod, and no pod has it`,
  };
  const suggestions = kind === undefined ? nearSources(name, type, siblings) : [`${kind}/*`];
  if (suggestions.length > 0) {
    const prefix = spec.namespace === undefined ? '' : `${spec.namespace.text}:`;
    const next = `did you mean ${suggestions.map((text) => prefix + text).join(' or ')}?`;
    return new LogtoolError({ ...parts, next });
  }
  return new LogtoolError({
    ...parts,
    next: containerAdvice(context, spec) ?? 'check the name, and the namespace with -n',
    nextOnPage: 'check the name and the namespace, which stands before the colon',
  });
}

/** `kubectl logs POD CONTAINER` names a container by a second argument. */
function containerAdvice(
  { plan }: ResolveContext,
  { argument, kind, namespace }: SourceSpec,
): string | undefined {
  const [pod, container, ...others] = plan.sources;
  if (others.length > 0 || container !== argument || kind !== undefined || namespace !== undefined)
    return undefined;
  return `for container ${argument} of ${pod}: --container ${argument}; else check the name, and the namespace with -n`;
}

function whichThereAre(
  type: ResourceType,
  place: string,
  siblings: readonly KubeObject[] | undefined,
): string {
  const kinds = kindsText(type);
  if (siblings === undefined) return `logtool cannot list ${kinds} ${place}`;
  if (siblings.length === 0) return `there are no ${kinds} ${place}`;
  const names = siblings.slice(0, 5).map(({ metadata }) => metadata.name);
  const more = siblings.length > 5 ? `, and ${siblings.length - 5} more` : '';
  return `the ${kinds} there are: ${names.join(', ')}${more}`;
}

/** Suggestions as they can be typed. Pods also reveal the workloads that they belong to. */
function nearSources(name: string, type: ResourceType, siblings: readonly KubeObject[]): readonly string[] {
  const isPod = isType(type, PODS);
  const byName = new Map(
    siblings.map(({ metadata }) => [metadata.name, isPod ? metadata.name : objectText(type, metadata.name)]),
  );
  if (isPod) for (const text of workloadsOf(siblings)) byName.set(text.slice(text.indexOf('/') + 1), text);
  return nearNames(name, byName.keys()).flatMap((near) => byName.get(near) ?? []);
}

/** Workloads named by the owners of pods: `deployments/web` from ReplicaSet web-7d9f8. */
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
 * The error where the namespace itself is not there; undefined where it is, or may not be read. `so`: what follows.
 * A confined reader gets suggestions among the allowed namespaces only; others where `mayLook` says so.
 */
export async function describeNamespace(
  context: ResolveContext,
  namespace: string,
  so: string,
  maySuggest = () => context.suggestions.take(),
): Promise<LogtoolError | undefined> {
  const { client, signal, plan } = context;
  try {
    await client.getMetadata(NAMESPACES, { name: namespace }, { signal });
    return undefined;
  } catch (error) {
    // Without permission to read namespaces, the message only concerns the object.
    if (!isAbsentObject(error)) return undefined;
  }
  const namespaces =
    plan.confinedTo?.filter((name) => name !== namespace) ??
    (maySuggest() ? await readNames(context, NAMESPACES, undefined) : undefined)?.map(
      ({ metadata }) => metadata.name,
    );
  const near = nearNames(namespace, namespaces ?? []);
  return new LogtoolError({
    code: 'namespace-not-found',
    what: `namespace "${namespace}" does not exist`,
    why: `so ${so}`,
    next:
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'kubectl get namespaces lists those there are',
  });
}

/** Names for suggestions; undefined if they cannot be read: the error to report is another one. */
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
