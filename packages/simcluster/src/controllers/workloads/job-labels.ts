import type { StoredObject } from '../../store/store.ts';

/** The label by which a Job selects its pods. */
export const JOB_UID_LABEL = 'batch.kubernetes.io/controller-uid';

/** Returns the labels that the API server adds to a Job's pods, under both the old and the new names. */
export function jobLabels({ metadata: { uid, name } }: StoredObject): Record<string, string> {
  return {
    [JOB_UID_LABEL]: uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
}
