import { gzipSync } from 'node:zlib';
import { readJson } from '../json/read-json.ts';
import type { ValueMap } from '../value/value.ts';
import { writeYaml } from '../yaml/write/write-yaml.ts';
import type { Chart, ChartFile, ChartMetadata } from './chart.ts';
import { writeTar } from './write-tar.ts';

/**
 * Packs a chart as `helm package` does: a `.tgz` with everything below a directory named after the chart.
 * Loses the comments of Chart.yaml and values.yaml: the chart in memory has none.
 */
export function packChart(chart: Chart): Uint8Array {
  return gzipSync(writeTar(chartFiles(chart, `${chart.metadata.name}/`)));
}

function chartFiles(chart: Chart, base: string): ChartFile[] {
  const { metadata, lock, templates, values, schema, files, dependencies } = chart;
  const text = (name: string, content: string): ChartFile => ({ name, data: Buffer.from(content) });
  const own: ChartFile[] = [
    text('Chart.yaml', toYaml(metadata)),
    ...(lock === undefined ? [] : [text('Chart.lock', toYaml(lock))]),
    text('values.yaml', writeYaml(values)),
    ...(schema === undefined ? [] : [{ name: 'values.schema.json', data: schema }]),
    ...templates,
    ...files,
  ];
  return [
    ...own.map((file) => ({ ...file, name: base + file.name })),
    ...dependencies.flatMap((one) => chartFiles(one, `${base}charts/${one.metadata.name}/`)),
  ];
}

function toYaml(value: ChartMetadata | NonNullable<Chart['lock']>): string {
  return writeYaml(readJson(JSON.stringify(value)) as ValueMap);
}
