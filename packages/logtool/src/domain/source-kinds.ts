/** Words that name the kinds whose logs are asked for most: plural, singular, short names. In small letters. */
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

/** The plural of a word that names one of these kinds, in any letter case; undefined for any other word. */
export function sourceKindOf(name: string): string | undefined {
  const wanted = name.toLowerCase();
  return SOURCE_KINDS.find(
    (kind) => kind.plural === wanted || kind.singular === wanted || kind.short.includes(wanted),
  )?.plural;
}
