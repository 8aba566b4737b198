import type { Clock } from '../../domain/clock.ts';
import type { Chart } from '../chart/chart.ts';
import { FUNCTIONS } from '../functions/table.ts';
import type { Hook } from '../release/release.ts';
import { Budget, TEMPLATE_LIMITS, type TemplateLimits } from '../template/budget.ts';
import type { Engine } from '../template/engine.ts';
import { GoError } from '../template/errors.ts';
import { executeTree } from '../template/execute.ts';
import { TemplateSet } from '../template/set.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { readYamlMap } from '../yaml/read-yaml.ts';
import { writeYaml } from '../yaml/write-yaml.ts';
import type { RenderCapabilities } from './capabilities.ts';
import { copyValues } from './copy-values.ts';
import { renderError } from './explain.ts';
import { type Lookup, LookupCache, LookupPending } from './lookup.ts';
import { type ReleaseFacts, scopeTemplates, templateOrder } from './scope.ts';
import { sortManifests } from './sort-manifests.ts';

export interface RenderOptions {
  readonly release: ReleaseFacts;
  readonly capabilities: RenderCapabilities;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Reads from the cluster for `lookup`; without it every lookup finds nothing. */
  readonly lookup?: Lookup | undefined;
  readonly limits?: TemplateLimits | undefined;
  /** Whether the notes of sub-charts are part of the notes. */
  readonly subNotes?: boolean | undefined;
  /** Whether a key that a map lacks is an error, as with `helm lint --strict`. */
  readonly strict?: boolean | undefined;
  /** Whether `required` and `fail` let pass, as in `helm lint`. */
  readonly lint?: boolean | undefined;
}

/** A chart with values, rendered. */
export interface Rendered {
  /** All objects in the order of installing, each under `# Source:`. */
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  /** What NOTES.txt says. */
  readonly notes: string;
  /** What every template gave, by its path, notes left out. */
  readonly files: ReadonlyMap<string, string>;
}

const NOTES = 'NOTES.txt';

/**
 * Renders a chart, as `helm install` does it: the manifest is the same, byte for byte. `values` are all values, merged
 * with the chart's own; they are not changed.
 *
 * Throws LogtoolError `template-failed` with Helm's message, `manifest-invalid` for what is no YAML, and
 * `template-limit` when rendering takes or makes too much.
 */
export async function renderChart(chart: Chart, values: ValueMap, options: RenderOptions): Promise<Rendered> {
  const lookups = new LookupCache(options.lookup);
  for (;;) {
    try {
      return sortRendered(chart, renderTemplates(chart, copyValues(values), options, lookups), options);
    } catch (error) {
      if (error instanceof GoError) throw renderError(error);
      if (!(error instanceof LookupPending)) throw error;
      // Templates run without waiting: what they look up is read, and they run again from the start.
      await lookups.read(error);
    }
  }
}

function renderTemplates(
  chart: Chart,
  values: ValueMap,
  options: RenderOptions,
  lookups: LookupCache,
): Map<string, string> {
  const { clock, release, capabilities } = options;
  const templates = scopeTemplates({ chart, values, release, capabilities, writeYaml });
  const engine: Engine = {
    functions: FUNCTIONS,
    budget: new Budget(clock, options.limits ?? TEMPLATE_LIMITS),
    strict: options.strict ?? false,
    lint: options.lint ?? false,
    nowMs: clock.now(),
    randomBytes: options.randomBytes,
    lookup: (...query) => lookups.find(query),
    included: new Map(),
  };
  const set = new TemplateSet((name) => FUNCTIONS.has(name));
  const order = templateOrder(templates.keys());
  for (const name of order) set.parse(name, templates.get(name)!.text);
  const rendered = new Map<string, string>();
  for (const name of order) {
    if (name.slice(name.lastIndexOf('/') + 1).startsWith('_')) continue;
    const { scope, basePath } = templates.get(name)!;
    scope.set(
      'Template',
      new Map<string, Value>([
        ['Name', name],
        ['BasePath', basePath],
      ]),
    );
    const tree = set.lookup(name);
    if (tree === undefined)
      throw new GoError(`template: no template "${name}" associated with template "gotpl"`);
    rendered.set(name, executeTree(engine, set, tree, scope).replaceAll('<no value>', ''));
  }
  return rendered;
}

function sortRendered(chart: Chart, rendered: Map<string, string>, options: RenderOptions): Rendered {
  const notes: string[] = [];
  const files = new Map<string, string>();
  const own = `${chart.metadata.name}/templates/${NOTES}`;
  for (const [name, text] of rendered) {
    if (!name.endsWith(NOTES)) files.set(name, text);
    else if (name === own || options.subNotes === true) notes.push(text);
  }
  const { parts, hooks } = sortManifests(files, readYamlMap);
  return {
    manifest: parts.map(({ path, text }) => `---\n# Source: ${path}\n${text}\n`).join(''),
    hooks,
    notes: notes.join('\n'),
    files,
  };
}
