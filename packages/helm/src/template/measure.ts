import { isGoObject, plain } from '../value/type.ts';
import type { GoObject, Value, ValueMap } from '../value/value.ts';
import { limitError } from './budget.ts';

/**
 * Maximum number of parts of a value that a function walks recursively. Shared parts count each time: a list of two of
 * itself, nested forty times, would never end.
 */
const MAX_VALUES = 2 ** 21;

/** Functions that walk their arguments recursively, or copy them. */
const DEEP = new Set([
  'toJson',
  'mustToJson',
  'toRawJson',
  'mustToRawJson',
  'toPrettyJson',
  'mustToPrettyJson',
  'toYaml',
  'mustToYaml',
  'toYamlPretty',
  'toToml',
  'mustToToml',
  'deepCopy',
  'mustDeepCopy',
  'deepEqual',
  'merge',
  'mustMerge',
  'mergeOverwrite',
  'mustMergeOverwrite',
  'has',
  'mustHas',
  'without',
  'mustWithout',
  'uniq',
  'mustUniq',
  'print',
  'println',
  'printf',
  'quote',
  'squote',
  'cat',
  'join',
  'toString',
  'toStrings',
  'sortAlpha',
  'html',
  'js',
  'urlquery',
  'eq',
  'ne',
  'fail',
  'YAML',
]);

export function inspectsDeeply(name: string): boolean {
  return DEEP.has(name);
}

/**
 * Counts the parts of a value recursively. For a value that contains itself it follows only one path, because the
 * function that walks it throws its own error.
 * @throws CodedError `template-limit` if the value has too many parts
 */
export function countValues(value: Value | undefined): number {
  if (!isComposite(value)) return 0;
  let count = 0;
  const above: Value[] = [];
  const visit = (item: Composite): void => {
    if (above.length > MAX_DEPTH || above.includes(item)) return;
    above.push(item);
    for (const one of childrenOf(item)) {
      if (++count > MAX_VALUES) throw limitError({ of: 'nodes', max: MAX_VALUES });
      if (isComposite(one) && one !== item) visit(one);
    }
    above.pop();
  };
  visit(value);
  return count;
}

function childrenOf(value: Composite): Iterable<Value> {
  if (isGoObject(value)) return [plain(value)];
  return Array.isArray(value) ? value : value.values();
}

/** At greater depths, every function that walks a value throws its own error. */
const MAX_DEPTH = 1000;

type Composite = Value[] | ValueMap | GoObject;

function isComposite(value: Value | undefined): value is Composite {
  return Array.isArray(value) || value instanceof Map || isGoObject(value);
}
