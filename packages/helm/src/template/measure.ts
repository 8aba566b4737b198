import { isGoObject, plain } from '../value/type.ts';
import type { GoObject, Value, ValueMap } from '../value/value.ts';
import { limitError } from './budget.ts';

/**
 * Most parts of a value that is looked into all the way down. One that is in another twice counts twice: forty times a
 * list of two of itself, and no machine sees the end.
 */
const MAX_VALUES = 2 ** 21;

/** The functions that look into what they are given all the way down, or copy it. */
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
 * How many parts a value has, all the way down. A value that contains itself has no end: what looks into it says so in
 * its own words, so that no more is followed than one path of it.
 * @throws CodedError `template-limit` for too many
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

/** Deeper than that everything that looks into a value ends with an error of its own. */
const MAX_DEPTH = 1000;

type Composite = Value[] | ValueMap | GoObject;

function isComposite(value: Value | undefined): value is Composite {
  return Array.isArray(value) || value instanceof Map || isGoObject(value);
}
