import type { Release } from '../release/release.ts';
import type { ActionContext } from './action.ts';
import { checkNamespace, checkReleaseName, noRelease } from './release-state.ts';

/**
 * Returns every stored revision of a release, oldest first.
 * @throws CodedError `release-not-found`, `release-name`, `namespace-name`
 */
export async function history(
  context: ActionContext,
  namespace: string,
  name: string,
): Promise<readonly Release[]> {
  checkReleaseName(name);
  checkNamespace(namespace);
  const releases = await context.storage.history(namespace, name, context);
  if (releases.length === 0) throw noRelease({ name, namespace });
  return releases;
}
