import { BUILTIN_RESOURCES, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, ResourceType } from '@logtool/kube/src/client.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { resolveFailure } from '../../domain/resolve-failures.ts';
import { SOURCE_KINDS } from '../../domain/source-kinds.ts';
import type { KindName, SourceSpec } from '../../domain/source-syntax.ts';
import type { Suggestions } from './suggestions.ts';

export interface KindOptions {
  /**
   * See SourcePlan. Kinds outside namespaces do not exist, and the error is the same whether or not the cluster has
   * them.
   */
  readonly confinedTo?: readonly string[] | undefined;
  /** Decides whether kinds of this cluster may be suggested. Without it, they may. */
  readonly suggestions?: Suggestions | undefined;
}

/**
 * Returns the resource that a kind word names. Kinds that every cluster has cost no request. Discovery looks up the
 * others. Throws a usage error with similar words if there is none.
 */
export async function findKind(
  client: KubeClient,
  spec: SourceSpec,
  signal: AbortSignal,
  { confinedTo, suggestions }: KindOptions = {},
): Promise<ResourceType> {
  const { kind } = spec;
  if (kind === undefined) return PODS;
  const builtin = builtinKind(kind);
  const types = builtin === undefined ? await client.discover({ signal }) : [];
  const found = builtin ?? types.find((type) => isNamed(type, kind));
  if (confinedTo !== undefined) {
    if (found?.namespaced === true && found.verbs.includes('get')) return found;
    throw kindNotShown(kind, confinedTo);
  }
  if (found === undefined) throw unknownKind(spec, kind, suggestions?.take() === false ? [] : types);
  if (!found.verbs.includes('get')) {
    throw resolveFailure('kind-not-readable', { type: typeText(found) });
  }
  return found;
}

/** Returns a kind that every cluster has. */
export function builtinKind(kind: KindName): ResourceType | undefined {
  return BUILTIN_RESOURCES.find((type) => isNamed(type, kind));
}

/** Returns the name in the form that access control uses: `pods`, `deployments.apps`. */
export function typeText(type: ResourceType): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}

/**
 * Returns the name in the form the user can type: `deployments`, `rollouts.argoproj.io`. Kinds that not every cluster
 * has carry their group.
 */
export function kindsText(type: ResourceType): string {
  const short = BUILTIN_RESOURCES.some((known) => known.plural === type.plural && known.group === type.group);
  return short ? type.plural : typeText(type);
}

/** Returns `deployments/web`. */
export function objectText(type: ResourceType, name: string): string {
  return `${kindsText(type)}/${name}`;
}

function isNamed(type: ResourceType, kind: KindName): boolean {
  if (kind.group !== undefined && kind.group !== type.group) return false;
  if (kind.version !== undefined && kind.version !== type.version) return false;
  return namesOf(type).includes(kind.name);
}

function namesOf(type: ResourceType): readonly string[] {
  return [type.plural, type.singular, type.kind, ...type.shortNames].map((name) => name.toLowerCase());
}

function unknownKind(spec: SourceSpec, kind: KindName, types: readonly ResourceType[]): CodedError {
  const near = nearNames(
    kind.name,
    [...BUILTIN_RESOURCES, ...types].flatMap((type) => [type.plural, type.singular]),
  );
  // Users who mean a container of a pod type `web-0/nginx`.
  const asPod = spec.container === undefined ? `pods/${kind.name}/${spec.name.text}` : undefined;
  const data = { reason: 'absent', kind: typedText(kind), argument: spec.argument, near, asPod } as const;
  return resolveFailure('unknown-kind', data, { exit: 'usage' });
}

/** Suggests only well-known words: this reader must not learn what else the cluster has. */
function kindNotShown(kind: KindName, namespaces: readonly string[]): CodedError {
  const near = nearNames(
    kind.name,
    SOURCE_KINDS.flatMap(({ plural, singular }) => [plural, singular]),
  );
  const kinds = SOURCE_KINDS.map(({ plural }) => plural);
  const data = { reason: 'not-shown', kind: typedText(kind), namespaces, near, kinds } as const;
  return resolveFailure('unknown-kind', data, { exit: 'usage' });
}

function typedText({ name, version, group }: KindName): string {
  return [name, version, group].filter((segment) => segment !== undefined && segment !== '').join('.');
}
