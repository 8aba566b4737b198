import type { Chart } from '@logtool/helm/src/chart/chart.ts';
import type { HelmFailures } from '@logtool/helm/src/failures.ts';
import { renderTemplates } from '@logtool/helm/src/render/render-templates.ts';
import { ExecError } from '@logtool/helm/src/template/errors.ts';
import type { ValueMap } from '@logtool/helm/src/value/value.ts';
import { readYamlMap } from '@logtool/helm/src/yaml/read-yaml.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { HelmVersion } from '../../../../test/support/oracles/helm.ts';
import type { ParityCase } from './case.ts';
import { type Answer, chartOfOne } from './with-helm.ts';

const RENDER_OPTIONS = {
  release: { name: 'release', namespace: 'default', revision: 1, isInstall: true, isUpgrade: false },
  capabilities: { kubeVersion: { version: 'v1.35.0', major: '1', minor: '35' }, apiVersions: ['v1'] },
  clock: systemClock,
  randomBytes: (count: number) => new Uint8Array(count),
};

/** A chart from its files by their names. */
export function chartFromFiles(files: Readonly<Record<string, string>>): Chart {
  const {
    name = '',
    version = '',
    ...rest
  } = JSON.parse(JSON.stringify(Object.fromEntries(readYamlMap(files['Chart.yaml']!))));
  const others = Object.entries(files).filter(([path]) => path !== 'Chart.yaml' && path !== 'values.yaml');
  const all = others.map(([path, text]) => ({
    name: path,
    data: path.endsWith('.bin') ? Buffer.from(text, 'latin1') : Buffer.from(text),
  }));
  return {
    metadata: { apiVersion: 'v2', name, version, ...rest },
    templates: all.filter((file) => file.name.startsWith('templates/')),
    files: all.filter((file) => !file.name.startsWith('templates/')),
    values: valuesOf(files),
    dependencies: [],
  };
}

function valuesOf(files: Readonly<Record<string, string>>): ValueMap {
  return readYamlMap(files['values.yaml'] ?? '{}');
}

/** What our engine gives for each case; an error is worded as that helm words it. */
export async function askOurs(
  version: HelmVersion,
  cases: ReadonlyMap<string, ParityCase>,
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const [name, one] of cases) answers.set(name, await answerOf(version, name, one));
  return answers;
}

async function answerOf(version: HelmVersion, name: string, one: ParityCase): Promise<Answer> {
  const chart = chartFromFiles(chartOfOne(name, one));
  try {
    const files = await renderTemplates(chart, chart.values, RENDER_OPTIONS);
    return { text: files.get(`${name}/templates/t.yaml`)! };
  } catch (error) {
    return { error: errorMessage(version, error) };
  }
}

/** The message of an error of rendering, as that helm words it. */
export function errorMessage(version: HelmVersion, error: unknown): string {
  const why = helmTextOf(error);
  if (version !== '3.17.2') return why;
  // Helm 3 only rewords the errors of parsing, and those of required and fail.
  const { cause } = error as CodedError;
  return olderMessage(
    cause instanceof ExecError && !why.startsWith('execution error at ') ? cause.message : why,
  );
}

/** What Helm says of the same: its words are the data of ours. */
function helmTextOf(error: unknown): string {
  if (!(error instanceof CodedError)) throw error;
  if (error.code === 'template-failed') return (error.data as HelmFailures['template-failed']).why;
  if (error.code !== 'manifest-invalid') throw error;
  const { path, why } = error.data as HelmFailures['manifest-invalid'];
  return `YAML parse error on ${path}: ${why}`;
}

/** Helm 3.17.2 is built with Go 1.23, whose messages say less, and its packages have other names. */
function olderMessage(message: string): string {
  return message
    .replace(/(incompatible types for comparison): .* and .*$/, '$1')
    .replaceAll('common.', 'chartutil.');
}
