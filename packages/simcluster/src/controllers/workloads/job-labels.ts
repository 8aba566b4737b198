import type { StoredObject } from '../../store/store.ts';

/** The label that a Job selects its pods by. */
export const JOB_UID_LABEL = 'batch.kubernetes.io/controller-uid';

/** Labels that the API server gives the pods of a Job, the old names beside the new ones. */
export function jobLabels({ metadata: { uid, name } }: StoredObject): Record<string, string> {
  return {
    [JOB_UID_LABEL]: uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
}
