import { NAMESPACES } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { missingRight } from '@logtool/kube/src/failure/describe-forbidden.ts';
import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import type { NamespaceList } from '../../contract/cluster.ts';
import { isNamespaceAllowed } from '../../domain/access/allowed-namespaces.ts';
import { ownNamespaceOf } from '../session/person-of.ts';
import { toWireError } from '../to-wire-error.ts';
import type { MakeHandler } from './make-handler.ts';

/** Maximum of simultaneous reviews. */
const REVIEWS_AT_ONCE = 16;

export const answerNamespaces: MakeHandler<'GET /contexts/{context}/namespaces'> =
  ({ clusters, settings }) =>
  async (context) => {
    const session = context.get('session');
    const lease = await clusters.client(context.req.valid('param').context, session);
    try {
      const { allowedNamespaces: allowed } = settings;
      const own = ownNamespaceOf(session);
      const list = await listNamespaces(lease.client, { allowed, own }, context.req.raw.signal);
      return context.json(list, 200);
    } catch (error) {
      throw describeKubeError(error, lease.client.cluster);
    } finally {
      lease.release();
    }
  };

interface NamedNamespaces {
  /** Empty: all. */
  readonly allowed: readonly string[];
  /** The namespace of the person's own service account. */
  readonly own: string | undefined;
}

/** Lists the allowed namespaces, each with the missing permission to list what runs in it. */
async function listNamespaces(
  client: KubeClient,
  named: NamedNamespaces,
  signal: AbortSignal,
): Promise<NamespaceList> {
  const { names, partial } = await knownNames(client, named, signal);
  const isListed = await allowedTo(client, undefined, signal);
  const list = isListed
    ? names.map((name) => ({ name }))
    : await inParallel(REVIEWS_AT_ONCE, names, async (name) => {
        if (await allowedTo(client, name, signal)) return { name };
        const right = { verb: 'list', resource: 'pods', namespace: name };
        return { name, denied: toWireError(missingRight(right), client.cluster) };
      });
  return { namespaces: list, partial };
}

/** Returns the names of all namespaces; if listing is forbidden, those that the configuration and the sign-in name. */
async function knownNames(client: KubeClient, { allowed, own }: NamedNamespaces, signal: AbortSignal) {
  const isShown = (name: string) => isNamespaceAllowed(allowed, name);
  const names: string[] = [];
  try {
    for await (const { items } of client.list(NAMESPACES, { metadataOnly: true }, { signal }))
      names.push(...items.map(({ metadata }) => metadata.name).filter(isShown));
    return { names: names.sort(), partial: undefined };
  } catch (error) {
    if (!isKubeError(error, 'forbidden')) throw error;
    const known = new Set([...allowed, client.cluster.namespace, own ?? []].flat().filter(isShown));
    return { names: [...known].sort(), partial: toWireError(error, client.cluster) };
  }
}

function allowedTo(client: KubeClient, namespace: string | undefined, signal: AbortSignal): Promise<boolean> {
  return client.review({ verb: 'list', group: '', resource: 'pods', namespace }, { signal });
}
