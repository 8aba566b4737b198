import type { Release } from '../release/release.ts';
import type { ActionContext } from './action.ts';
import { checkNamespace, checkReleaseName, noRelease } from './release-state.ts';

/**
 * Every revision of a release that is kept, oldest first.
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
