import type { Workload } from '@logtool/logtool/src/contract/workload.ts';

/** Makes a healthy Deployment with two pods; its id is `namespace/kind/name` unless given. */
export function makeWorkload(fields: Partial<Workload> & { readonly name: string }): Workload {
  const { namespace = 'shop', kind = 'deployments', name } = fields;
  return {
    id: `${namespace}/${kind}/${name}`,
    kind,
    kindName:
      { deployments: 'Deployment', pods: 'Pod', statefulsets: 'StatefulSet' }[kind as string] ?? 'Deployment',
    namespace,
    podsReady: 2,
    podsTotal: 2,
    restarts: 0,
    isFailing: false,
    createdAt: '2026-01-01T00:00:00Z',
    ...fields,
  };
}
