import type { Chart } from '../chart/chart.ts';
import type { Hook } from '../release/release.ts';
import type { ValueMap } from '../value/value.ts';
import { type RenderOptions, renderTemplates } from './render-templates.ts';
import { sortManifests } from './sort-manifests.ts';

/** The result of rendering a chart with values. */
export interface Rendered {
  /** All objects in installation order, each under `# Source:`. */
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  /** The output of NOTES.txt. */
  readonly notes: string;
  /** The output of every template by its path, without notes. */
  readonly files: ReadonlyMap<string, string>;
}

const NOTES = 'NOTES.txt';

/**
 * Renders a chart as `helm install` does; the manifest matches byte for byte. `values` are all values, merged with the
 * chart's own; rendering does not change them.
 * Throws CodedError `template-failed` with Helm's message, `manifest-invalid` for invalid YAML, and `template-limit` if
 * rendering takes or produces too much.
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
