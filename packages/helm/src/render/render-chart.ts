import type { Chart } from '../chart/chart.ts';
import type { Hook } from '../release/release.ts';
import type { ValueMap } from '../value/value.ts';
import { type RenderOptions, renderTemplates } from './render-templates.ts';
import { sortManifests } from './sort-manifests.ts';

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
 * Renders a chart, as `helm install` does: the manifest is the same, byte for byte. `values` are all values,
 * merged with the chart's own; they do not change.
 * Throws CodedError `template-failed` with Helm's message, `manifest-invalid` for invalid YAML, and
 * `template-limit` when rendering takes or makes too much.
 */
export async function renderChart(chart: Chart, values: ValueMap, options: RenderOptions): Promise<Rendered> {
  const rendered = await renderTemplates(chart, values, options);
  const notes: string[] = [];
  const files = new Map<string, string>();
  const own = `${chart.metadata.name}/templates/${NOTES}`;
  for (const [name, text] of rendered) {
    if (!name.endsWith(NOTES)) files.set(name, text);
    else if (name === own || options.subNotes === true) notes.push(text);
  }
  const { manifests, hooks } = sortManifests(files);
  return {
    manifest: manifests.map(({ path, text }) => `---\n# Source: ${path}\n${text}\n`).join(''),
    hooks,
    notes: notes.join('\n'),
    files,
  };
}
