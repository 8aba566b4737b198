import type { Chart } from '@logtool/helm/src/chart/chart.ts';
import type { ValueMap } from '@logtool/helm/src/value/value.ts';
import { copyMap } from '@logtool/helm/src/values/copy.ts';
import { readUserValues } from '@logtool/helm/src/values/user-values.ts';
import { usageFailure } from '../messages/errors.ts';
import type { ImagePlan, OwnPlan, ValuesPlan } from '../plan/cluster/cluster-plans.ts';
import { CHART_REPOSITORY } from './chart-repository.ts';
import { setTexts } from './read-values.ts';

/** Keys of the chart that each flag sets. */
const KEYS = {
  '--image': ['image.registry', 'image.repository', 'image.tag', 'image.digest', 'global.imageRegistry'],
  '--image-pull-policy': ['image.pullPolicy'],
  '--agent': ['agent.enabled'],
} as const;

/**
 * Returns what --image, --image-pull-policy and --agent change in values: those of files, or those of the release.
 * Undefined if none of the flags is given.
 */
export function ownChange(plan: OwnPlan): ((values: ValueMap) => ValueMap) | undefined {
  const { image, agent } = plan;
  if (flagsOf(plan).length === 0) return undefined;
  return (given) => {
    const values = copyMap(given);
    if (agent !== undefined) tableAt(values, 'agent').set('enabled', agent);
    setImage(values, image);
    return values;
  };
}

function setImage(values: ValueMap, { reference, pullPolicy }: ImagePlan): void {
  if (reference !== undefined) {
    const { registry, repository, tag, digest } = reference;
    const image = tableAt(values, 'image');
    image.set('registry', registry);
    image.set('repository', repository);
    // As everywhere in Kubernetes; without a tag the chart would use its own version.
    image.set('tag', tag ?? (digest === undefined ? 'latest' : ''));
    image.set('digest', digest ?? '');
    // A reference is complete: a global registry must not replace its own.
    const global = values.get('global');
    if (global instanceof Map && global.has('imageRegistry')) global.delete('imageRegistry');
  }
  if (pullPolicy !== undefined) tableAt(values, 'image').set('pullPolicy', pullPolicy);
}

function tableAt(values: ValueMap, key: string): ValueMap {
  const held = values.get(key);
  if (held instanceof Map) return held;
  const table: ValueMap = new Map();
  values.set(key, table);
  return table;
}

/** The given flags that set values of logtool's chart. */
function flagsOf({ image: { reference, pullPolicy }, agent }: OwnPlan): readonly (keyof typeof KEYS)[] {
  return [
    ...(reference === undefined ? [] : (['--image'] as const)),
    ...(pullPolicy === undefined ? [] : (['--image-pull-policy'] as const)),
    ...(agent === undefined ? [] : (['--agent'] as const)),
  ];
}

/**
 * Rejects flags that set a value which --set also sets, and flags for logtool's chart with another one.
 * @throws CliError `value-set-twice`, `value-of-other-chart` (usage)
 */
export function checkOwn(own: OwnPlan, plan: ValuesPlan, chart: Chart): void {
  const flags = flagsOf(own);
  const [first] = flags;
  if (first === undefined) return;
  const sets = readUserValues(setTexts(plan), () => '');
  for (const flag of flags) {
    const twice = KEYS[flag].find((path) => hasPath(sets, path));
    if (twice !== undefined) throw setTwice(flag, twice);
  }
  const { name } = chart.metadata;
  if (name === CHART_REPOSITORY.chart) return;
  throw usageFailure('value-of-other-chart', { flag: first, chart: name, own: CHART_REPOSITORY.chart });
}

function hasPath(values: ValueMap, path: string): boolean {
  const [table = '', key = ''] = path.split('.');
  const held = values.get(table);
  return held instanceof Map && held.has(key);
}

function setTwice(flag: keyof typeof KEYS, key: string) {
  return usageFailure('value-set-twice', {
    flag,
    key,
    keys: KEYS[flag].filter((one) => !one.startsWith('global.')),
  });
}
