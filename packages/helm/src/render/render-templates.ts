import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Chart } from '../chart/chart.ts';
import { FUNCTIONS } from '../functions/table.ts';
import { Budget, limitError, TEMPLATE_LIMITS, type TemplateLimits, tooSlow } from '../template/budget.ts';
import type { Engine } from '../template/engine.ts';
import { GoError } from '../template/errors.ts';
import { TemplateSet } from '../template/parse/set.ts';
import { executeTree } from '../template/run/machine.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { writeYaml } from '../yaml/write/write-yaml.ts';
import type { RenderCapabilities } from './capabilities.ts';
import { renderError } from './explain.ts';
import { GoValues } from './go-values.ts';
import { type Lookup, LookupCache, LookupPending } from './lookup.ts';
import { type ReleaseFacts, scopeTemplates, templateOrder } from './scope.ts';

export interface RenderOptions {
  readonly release: ReleaseFacts;
  readonly capabilities: RenderCapabilities;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Reads from the cluster for `lookup`; without it lookups find nothing. */
  readonly lookup?: Lookup | undefined;
  readonly limits?: TemplateLimits | undefined;
  /** Whether the notes include those of sub-charts. */
  readonly subNotes?: boolean | undefined;
}

/**
 * Returns the output of every template of a chart and its sub-charts by its path, with notes but without partials.
 *
 * Throws CodedError `template-failed` and `template-limit`.
 */
export async function renderTemplates(
  chart: Chart,
  values: ValueMap,
  options: RenderOptions,
): Promise<Map<string, string>> {
  const lookups = new LookupCache(options.lookup);
  const limits = options.limits ?? TEMPLATE_LIMITS;
  let spentMs = 0;
  for (;;) {
    const startMs = options.clock.now();
    const budget = new Budget(options.clock, { ...limits, timeMs: limits.timeMs - spentMs });
    try {
      return runTemplates(chart, copyValues(values), options, { lookups, budget });
    } catch (error) {
      if (!(error instanceof LookupPending)) throw explained(error);
      // Templates run synchronously: after each read for a lookup, they run again from the start.
      spentMs += options.clock.now() - startMs;
      if (spentMs > limits.timeMs) throw tooSlow();
      await lookups.read(error);
    }
  }
}

function explained(error: unknown): unknown {
  if (error instanceof GoError) return renderError(error);
  // A value that contains itself was printed or copied.
  if (error instanceof RangeError) return limitError({ of: 'nested-value' });
  return error;
}

function runTemplates(
  chart: Chart,
  values: ValueMap,
  options: RenderOptions,
  { lookups, budget }: { readonly lookups: LookupCache; readonly budget: Budget },
): Map<string, string> {
  const { clock, release, capabilities } = options;
  const templates = scopeTemplates({ chart, values, release, capabilities, writeYaml });
  const engine: Engine = {
    functions: FUNCTIONS,
    budget,
    nowMs: clock.now(),
    randomBytes: options.randomBytes,
    lookup: (...query) => lookups.find(query),
    included: new Map(),
    tpl: { count: 0, characters: 0 },
  };
  const set = new TemplateSet((name) => FUNCTIONS.has(name));
  const order = templateOrder(templates.keys());
  for (const name of order) set.parse(name, templates.get(name)!.text);
  const rendered = new Map<string, string>();
  for (const name of order) {
    if (name.slice(name.lastIndexOf('/') + 1).startsWith('_')) continue;
    const { scope, dot, basePath } = templates.get(name)!;
    const names = new Map<string, Value>([
      ['Name', name],
      ['BasePath', basePath],
    ]);
    scope.set('Template', new GoValues(names));
    const tree = set.lookup(name);
    if (tree === undefined)
      throw new GoError(`template: no template "${name}" associated with template "gotpl"`);
    rendered.set(name, executeTree(engine, set, tree, dot).replaceAll('<no value>', ''));
  }
  return rendered;
}

/** Copies values for templates to change; a map shared in two places stays shared. */
function copyValues(values: ValueMap): ValueMap {
  const copies = new Map<object, Value>();
  const copy = (value: Value): Value => {
    if (value === null || typeof value !== 'object') return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) {
      const list: Value[] = [];
      copies.set(value, list);
      for (const item of value) list.push(copy(item));
      return list;
    }
    if (!(value instanceof Map)) return value;
    const map: ValueMap = new Map();
    copies.set(value, map);
    for (const [key, item] of value) map.set(key, copy(item));
    return map;
  };
  return copy(values) as ValueMap;
}
