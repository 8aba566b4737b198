import type { Chart } from '@logtool/helm/src/chart/chart.ts';
import type { ValueMap } from '@logtool/helm/src/value/value.ts';
import { copyMap } from '@logtool/helm/src/values/copy.ts';
import { readUserValues } from '@logtool/helm/src/values/user-values.ts';
import { usageFailure } from '../messages/errors.ts';
import type { ImagePlan, ValuesPlan } from '../plan/cluster/cluster-plans.ts';
import { CHART_REPOSITORY } from './chart-repository.ts';
import { setTexts } from './read-values.ts';

/** Keys of the chart that each flag sets. */
const KEYS = {
  '--image': ['image.registry', 'image.repository', 'image.tag', 'image.digest', 'global.imageRegistry'],
  '--image-pull-policy': ['image.pullPolicy'],
} as const;

/**
 * Returns what --image and --image-pull-policy change in values: those of files, or those of the release.
 * Undefined if neither flag is given.
 */
export function imageChange({
  reference,
  pullPolicy,
}: ImagePlan): ((values: ValueMap) => ValueMap) | undefined {
  if (reference === undefined && pullPolicy === undefined) return undefined;
  return (given) => {
    const values = copyMap(given);
    const image = tableAt(values, 'image');
    if (reference !== undefined) {
      const { registry, repository, tag, digest } = reference;
      image.set('registry', registry);
      image.set('repository', repository);
      // As everywhere in Kubernetes; without a tag the chart would use its own version.
      image.set('tag', tag ?? (digest === undefined ? 'latest' : ''));
      image.set('digest', digest ?? '');
      // A reference is complete: a global registry must not replace its own.
      const global = values.get('global');
      if (global instanceof Map && global.has('imageRegistry')) global.delete('imageRegistry');
    }
    if (pullPolicy !== undefined) image.set('pullPolicy', pullPolicy);
    return values;
  };
}

function tableAt(values: ValueMap, key: string): ValueMap {
  const held = values.get(key);
  if (held instanceof Map) return held;
  const table: ValueMap = new Map();
  values.set(key, table);
  return table;
}

/**
 * Rejects image flags that set a value which --set also sets, and image flags for another chart.
 * @throws CliError `image-set-twice`, `image-of-other-chart` (usage)
 */
export function checkImage({ reference, pullPolicy }: ImagePlan, plan: ValuesPlan, chart: Chart): void {
  const flags = [
    ...(reference === undefined ? [] : (['--image'] as const)),
    ...(pullPolicy === undefined ? [] : (['--image-pull-policy'] as const)),
  ];
  const [first] = flags;
  if (first === undefined) return;
  const sets = readUserValues(setTexts(plan), () => '');
  for (const flag of flags) {
    const twice = KEYS[flag].find((path) => hasPath(sets, path));
    if (twice !== undefined) throw setTwice(flag, twice);
  }
  const { name } = chart.metadata;
  if (name === CHART_REPOSITORY.chart) return;
  throw usageFailure('image-of-other-chart', { flag: first, chart: name, own: CHART_REPOSITORY.chart });
}

function hasPath(values: ValueMap, path: string): boolean {
  const [table = '', key = ''] = path.split('.');
  const held = values.get(table);
  return held instanceof Map && held.has(key);
}

function setTwice(flag: keyof typeof KEYS, key: string) {
  return usageFailure('image-set-twice', {
    flag,
    key,
    keys: KEYS[flag].filter((one) => one.startsWith('image.')),
  });
}
