import { isKubeError, type KubeError } from '@logtool/kube/src/errors.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { helmFailure } from '../failures.ts';
import type { ListedRelease, ReleaseList } from '../release/storage.ts';
import type { ActionContext } from './action.ts';
import { checkNamespace } from './release-state.ts';

/**
 * Returns the newest revision of every release in a namespace, or in all, ordered by namespace and name, and the
 * records that it cannot read. Matches `helm list --all`.
 */
export async function list(context: ActionContext, namespace: string | undefined): Promise<ReleaseList> {
  if (namespace !== undefined) checkNamespace(namespace);
  const { releases, unreadable } = await context.storage.list(namespace, context).catch((error: unknown) => {
    throw namespace === undefined && isKubeError(error, 'forbidden')
      ? missingNamespaceAccess(context, error)
      : error;
  });
  const order = (a: ListedRelease, b: ListedRelease) =>
    compare(a.namespace, b.namespace) || compare(a.name, b.name);
  return { releases: [...releases].sort(order), unreadable };
}

/** Many users may read one namespace, but not all of them. */
function missingNamespaceAccess({ client, storage }: ActionContext, error: KubeError): CodedError {
  const { namespace } = client.cluster;
  return helmFailure(
    'releases-forbidden',
    { driver: storage.driver, why: whyOf(error), namespace },
    { cause: error },
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
