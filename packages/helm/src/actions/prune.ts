import { isAbsentObject } from '@logtool/kube/src/errors.ts';
import type { Release } from '../release/release.ts';
import type { ActionContext } from './action.ts';

/** Deletes records of revisions in the given order; a record that another client already deleted is not an error. */
export async function prune(context: ActionContext, revisions: readonly Release[]): Promise<void> {
  for (const revision of revisions) {
    try {
      await context.storage.delete(revision, context);
    } catch (error) {
      if (!isAbsentObject(error)) throw error;
    }
  }
}
