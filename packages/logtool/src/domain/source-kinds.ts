/** Names of the kinds whose logs users request most: plural, singular, short names. In lowercase. */
export const SOURCE_KINDS: readonly {
  readonly plural: string;
  readonly singular: string;
  readonly short: readonly string[];
}[] = [
  { plural: 'pods', singular: 'pod', short: ['po'] },
  { plural: 'deployments', singular: 'deployment', short: ['deploy'] },
  { plural: 'replicasets', singular: 'replicaset', short: ['rs'] },
  { plural: 'statefulsets', singular: 'statefulset', short: ['sts'] },
  { plural: 'daemonsets', singular: 'daemonset', short: ['ds'] },
  { plural: 'jobs', singular: 'job', short: [] },
  { plural: 'cronjobs', singular: 'cronjob', short: ['cj'] },
  { plural: 'replicationcontrollers', singular: 'replicationcontroller', short: ['rc'] },
  { plural: 'services', singular: 'service', short: ['svc'] },
];

/** Returns the plural for a name of one of these kinds, in any letter case; undefined for any other name. */
export function sourceKindOf(name: string): string | undefined {
  const wanted = name.toLowerCase();
  return SOURCE_KINDS.find(
    (kind) => kind.plural === wanted || kind.singular === wanted || kind.short.includes(wanted),
  )?.plural;
}
