import type { AccessReview } from '@logtool/kube/src/client.ts';

const PODS = { group: '', resource: 'pods' } as const;

/** What somebody must be allowed to read the log of one pod. With the name, so that roles with resourceNames count. */
export function questionsOfLog(namespace: string, pod: string): readonly AccessReview[] {
  return [{ ...PODS, verb: 'get', subresource: 'log', namespace, name: pod }];
}

/**
 * What somebody must be allowed to list or watch the logs of a namespace (undefined: of all): the list shows names of
 * pods, and what is in their logs.
 */
export function questionsOfCollection(namespace: string | undefined): readonly AccessReview[] {
  return [
    { ...PODS, verb: 'list', namespace },
    { ...PODS, verb: 'get', subresource: 'log', namespace },
  ];
}
