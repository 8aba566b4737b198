import { NAMESPACES, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { globMatches, makeGlob } from '../../domain/glob.ts';
import { SOURCE_KINDS } from '../../domain/source-kinds.ts';
import { parseKind } from '../../domain/source-syntax.ts';
import type { Candidate } from './candidate.ts';
import type { LiveCluster } from './live-cluster.ts';

/**
 * What a source argument `[namespace:]kind/name[/container]` can become: kinds, names of pods and namespaces at its
 * beginning, then names of that kind, then containers. `namespace`: that of sources that name none.
 */
export async function sourceWords(
  typed: string,
  namespace: string | undefined,
  live: () => Promise<LiveCluster>,
): Promise<readonly Candidate[]> {
  const colon = typed.indexOf(':') + 1;
  const fixed = typed.slice(0, colon);
  const [kind = '', name, container, ...more] = typed.slice(colon).split('/');
  if (more.length > 0) return [];
  const kinds = name === undefined ? kindWords(kind).map(behind(fixed)) : [];
  try {
    const cluster = await live();
    const place = colon > 0 ? typed.slice(0, colon - 1) : (namespace ?? cluster.client.cluster.namespace);
    if (name === undefined) {
      const [pods, places, own] = await Promise.all([
        namesOf(cluster, PODS, place),
        colon > 0 ? [] : namespaceNames(cluster),
        // There may be hundreds: for who has begun to write one.
        kind === '' ? [] : cluster.ownKinds(),
      ]);
      return [
        ...kinds,
        ...own.map(behind(fixed)),
        ...pods.map(behind(fixed, 'Pod')),
        ...places.map(({ value }) => ({ value: `${value}:`, says: 'Namespace' })),
      ];
    }
    const type = await cluster.kind({ kind: parseKind(kind) });
    if (type === undefined) return [];
    // A name of many namespaces has no one place to look for its containers in.
    if (container !== undefined && place.includes('*')) return [];
    const found =
      container === undefined
        ? await namesOf(cluster, type, place)
        : await cluster.containers(type, place, name);
    return found.map(behind(container === undefined ? `${fixed}${kind}/` : `${fixed}${kind}/${name}/`));
  } catch (error) {
    if (kinds.length > 0) return kinds;
    throw error;
  }
}

/** Names of all namespaces. */
export function namespaceNames(cluster: LiveCluster): Promise<readonly Candidate[]> {
  return cluster.list(NAMESPACES, {}, ({ metadata }) => [{ value: metadata.name }]);
}

/** `namespace` may have stars: then the names of all that match, each once. */
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

/** `deployments/`; a short name, `sts/`, only for who has typed it. */
function kindWords(typed: string): readonly Candidate[] {
  const wanted = typed.toLowerCase();
  const plurals = SOURCE_KINDS.filter(({ plural }) => plural.startsWith(wanted));
  if (plurals.length > 0) return plurals.map(({ plural, singular }) => word(plural, `Logs of a ${singular}`));
  return SOURCE_KINDS.flatMap(({ plural, short }) =>
    short.filter((name) => name.startsWith(wanted)).map((name) => word(name, plural)),
  );
}

const word = (kind: string, says: string): Candidate => ({ value: `${kind}/`, says });

function behind(fixed: string, what?: string): (candidate: Candidate) => Candidate {
  return ({ value, says }) => ({ value: fixed + value, says: says ?? what });
}
