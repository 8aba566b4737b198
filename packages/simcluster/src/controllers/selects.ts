import { type LabelRequirement, labelsMatch } from '../api/read/label-selector.ts';
import type { StoredObject } from '../store/store.ts';
import { workloadSpec } from './objects.ts';

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

const OPERATORS: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * Whether the selector of a workload matches an object
 * (kubernetes.io/docs/concepts/overview/working-with-objects/labels). A missing, empty or unreadable selector matches
 * nothing, because the workload is then invalid.
 */
export function selects(workload: StoredObject, object: StoredObject): boolean {
  const requirements = requirementsOf(workload);
  return requirements.length > 0 && labelsMatch(requirements, object.metadata.labels);
}

/** Whether a label selector matches an object; a missing one matches nothing, an empty one everything. */
export function selectorMatches(selector: object | undefined, object: StoredObject): boolean {
  return selector !== undefined && labelsMatch(readSelector(selector), object.metadata.labels);
}

const known = new WeakMap<object, readonly LabelRequirement[]>();

function requirementsOf(workload: StoredObject): readonly LabelRequirement[] {
  const { selector } = workloadSpec(workload);
  if (typeof selector !== 'object' || selector === null) return [];
  const read = known.get(selector);
  if (read !== undefined) return read;
  // A ReplicationController selects only by labels.
  const requirements = readSelector(
    workload.kind === 'ReplicationController'
      ? { matchLabels: selector as Record<string, string> }
      : (selector as LabelSelector),
  );
  known.set(selector, requirements);
  return requirements;
}

/** Returns the requirements of a selector; omits unknown operators. */
export function readSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): LabelRequirement[] {
  return [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: '=' as const, values: [value] })),
    ...matchExpressions.flatMap(({ key, operator, values = [] }) => {
      const found = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
      return found === undefined ? [] : [{ key, operator: found, values }];
    }),
  ];
}
