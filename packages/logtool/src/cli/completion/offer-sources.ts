import { NAMESPACES, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { globMatches, makeGlob } from '../../domain/glob.ts';
import { SOURCE_KINDS } from '../../domain/source-kinds.ts';
import { parseKind } from '../../domain/source-syntax.ts';
import type { Candidate } from './candidate.ts';
import type { LiveCluster } from './live-cluster.ts';

/**
 * Offers what a source argument `[namespace:]kind/name[/container]` can become: first kinds, names of pods
 * and namespaces, then names of that kind, then containers. `namespace`: for sources that name none.
 */
export async function offerSources(
  typed: string,
  namespace: string | undefined,
  live: () => Promise<LiveCluster>,
): Promise<readonly Candidate[]> {
  const colon = typed.indexOf(':') + 1;
  const fixed = typed.slice(0, colon);
  const [kind = '', name, container, ...more] = typed.slice(colon).split('/');
  if (more.length > 0) return [];
  if (name === undefined) return beginnings({ fixed, kind, namespace }, live);
  const cluster = await live();
  const scope = scopeOf(fixed, namespace, cluster);
  const type = await cluster.kind({ kind: parseKind(kind) });
  if (type === undefined) return [];
  if (container === undefined) return (await namesOf(cluster, type, scope)).map(prefixed(`${fixed}${kind}/`));
  // A name in many namespaces has no single set of containers.
  if (scope.includes('*')) return [];
  return (await cluster.containers(type, scope, name)).map(prefixed(`${fixed}${kind}/${name}/`));
}

/** Returns the namespace that a source names, else the one for sources that name none, else the context's. */
function scopeOf(fixed: string, namespace: string | undefined, cluster: LiveCluster): string {
  return fixed === '' ? (namespace ?? cluster.client.cluster.namespace) : fixed.slice(0, -1);
}

/** Offers the text before the first slash: kinds, pods, and namespaces if the word has none yet. */
async function beginnings(
  {
    fixed,
    kind,
    namespace,
  }: { readonly fixed: string; readonly kind: string; readonly namespace: string | undefined },
  live: () => Promise<LiveCluster>,
): Promise<readonly Candidate[]> {
  const kinds = offerKinds(kind).map(prefixed(fixed));
  try {
    const cluster = await live();
    const [pods, namespaces, own] = await Promise.all([
      namesOf(cluster, PODS, scopeOf(fixed, namespace, cluster)),
      fixed === '' ? namespaceNames(cluster) : [],
      // There may be hundreds, so only for a user who has begun to type one.
      kind === '' ? [] : cluster.ownKinds(),
    ]);
    return [
      ...kinds,
      ...own.map(prefixed(fixed)),
      ...pods.map(prefixed(fixed, 'Pod')),
      ...namespaces.map(({ value }) => ({ value: `${value}:`, meaning: 'Namespace' })),
    ];
  } catch (error) {
    if (kinds.length > 0) return kinds;
    throw error;
  }
}

/** Lists the names of all namespaces. */
export function namespaceNames(cluster: LiveCluster): Promise<readonly Candidate[]> {
  return cluster.list(NAMESPACES, {}, ({ metadata }) => [{ value: metadata.name }]);
}

/** Lists the names of objects, each once. `namespace` may contain stars, and then means all that match. */
function namesOf(cluster: LiveCluster, type: Parameters<LiveCluster['list']>[0], namespace: string) {
  if (!type.namespaced || !namespace.includes('*')) {
    const query = type.namespaced ? { namespace } : {};
    return cluster.list(type, query, ({ metadata }) => [{ value: metadata.name }]);
  }
  const glob = makeGlob(namespace);
  const read = ({ metadata }: KubeObject) =>
    globMatches(glob, metadata.namespace ?? '') ? [{ value: metadata.name }] : [];
  return cluster.list(type, {}, read, namespace);
}

/** Offers `deployments/`; a short name, `sts/`, only to a user who has typed it. */
function offerKinds(typed: string): readonly Candidate[] {
  const wanted = typed.toLowerCase();
  const plurals = SOURCE_KINDS.filter(({ plural }) => plural.startsWith(wanted));
  if (plurals.length > 0)
    return plurals.map(({ plural, singular }) => offered(plural, `Logs of a ${singular}`));
  return SOURCE_KINDS.flatMap(({ plural, short }) =>
    short.filter((name) => name.startsWith(wanted)).map((name) => offered(name, plural)),
  );
}

const offered = (kind: string, meaning: string): Candidate => ({ value: `${kind}/`, meaning });

function prefixed(fixed: string, what?: string): (candidate: Candidate) => Candidate {
  return ({ value, meaning }) => ({ value: fixed + value, meaning: meaning ?? what });
}
