import { isKubeError, type KubeError } from '@logtool/kube/src/errors.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { ListedRelease, ReleaseList } from '../release/storage.ts';
import type { ActionContext } from './action.ts';
import { checkNamespace } from './mend.ts';

/**
 * The newest revision of every release of a namespace, or of all, by namespace and name; what cannot be read beside
 * them. As `helm list --all`.
 */
export async function list(context: ActionContext, namespace: string | undefined): Promise<ReleaseList> {
  if (namespace !== undefined) checkNamespace(namespace);
  const { releases, unreadable } = await context.storage.list(namespace, context).catch((error: unknown) => {
    throw namespace === undefined && isKubeError(error, 'forbidden') ? onlySome(context, error) : error;
  });
  const order = (a: ListedRelease, b: ListedRelease) =>
    compare(a.namespace, b.namespace) || compare(a.name, b.name);
  return { releases: [...releases].sort(order), unreadable };
}

/** Many may look into a namespace and not into all of them. */
function onlySome({ client, storage }: ActionContext, error: KubeError): LogtoolError {
  return new LogtoolError({
    code: 'forbidden',
    what: `you lack permission to list ${storage.driver}s in all namespaces`,
    why: error.message,
    next: `name a namespace that you may look into: logtool cluster list -n ${client.cluster.namespace}${client.cluster.flags ?? ''}`,
    cause: error,
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
