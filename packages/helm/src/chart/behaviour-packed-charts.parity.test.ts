import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { HELM_VERSIONS, helm } from '../../../../test/support/oracles/helm.ts';
import { type ChartFiles, writeFiles } from '../../../../test/support/oracles/helm-template.ts';
import type { Chart, ChartFile } from './chart.ts';
import { loadChart } from './load-chart.ts';
import { readChartArchive } from './read-archive.ts';

const FILES: ChartFiles = {
  'Chart.yaml':
    'apiVersion: v2\nname: chart\nversion: 1.0.0\ndependencies: [{name: sub, version: 1.x, repository: ""}]\n',
  'values.yaml': '# comment\na: {b: 1}\n',
  'values.schema.json': '{"type": "object"}\n',
  'templates/a.yaml': 'kind: A\n',
  'templates/_helpers.tpl': '{{ define "x" }}{{ end }}\n',
  'crds/crd.yaml': 'kind: CustomResourceDefinition\n',
  [`files/${'deep/'.repeat(30)}${'n'.repeat(120)}.txt`]: 'long\n',
  'files/ünï çödé.txt': 'é\n',
  'files/binary.bin': new Uint8Array([0, 255, 254, 10, 13]),
  'files/empty': '',
  '.helmignore': '*.skip\n',
  'files/x.skip': 'left out',
  'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.1.0\n',
  'charts/sub/templates/s.yaml': 'kind: S\n',
};

async function inChartDirectory<Result>(use: (home: string) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'logtool-packed-'));
  try {
    await writeFiles(join(home, 'chart'), FILES);
    return await use(home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Returns the content of a chart, without modification times and file order. */
function content(chart: Chart): unknown {
  const named = (files: readonly ChartFile[]) =>
    Object.fromEntries(files.map(({ name, data }) => [name, Buffer.from(data).toString('base64')]));
  const { metadata, values, schema, dependencies } = chart;
  return {
    metadata,
    values,
    schema: Buffer.from(schema ?? []).toString(),
    templates: named(chart.templates),
    files: named(chart.files),
    dependencies: dependencies.map(content),
  };
}

it.each(HELM_VERSIONS)('reads what helm %s packs as it reads the directory', async (version) => {
  await inChartDirectory(async (home) => {
    const result = await helm(version, ['package', join(home, 'chart'), '-d', home], { home });
    expect(result.stderr).toBe('');
    const name = (await readdir(home)).find((one) => one.endsWith('.tgz')) as string;
    const packed = await readChartArchive(await readFile(join(home, name)));
    expect(content(packed)).toEqual(content(await loadChart(join(home, 'chart'))));
    expect(content(await loadChart(join(home, name)))).toEqual(content(packed));
  });
});

it.each(['gnu', 'pax', 'posix'])('reads what tar packs in the %s format', async (format) => {
  await inChartDirectory(async (home) => {
    const args = [
      `--format=${format}`,
      '--exclude=*.skip',
      '-czf',
      join(home, 'packed.tgz'),
      '-C',
      home,
      'chart',
    ];
    await promisify(execFile)('tar', args);
    const packed = await readChartArchive(await readFile(join(home, 'packed.tgz')));
    expect(content(packed)).toEqual(content(await loadChart(join(home, 'chart'))));
  });
});

it('keeps the times of files to the nanosecond, as far as the archive has them', async () => {
  await inChartDirectory(async (home) => {
    const pack = ['--format=pax', '--mtime=2024-02-29 12:34:56.123456789Z', '-czf', join(home, 'packed.tgz')];
    await promisify(execFile)('tar', [...pack, '-C', home, 'chart']);
    const packed = await readChartArchive(await readFile(join(home, 'packed.tgz')));
    expect(packed.modTime).toBe('2024-02-29T12:34:56.123456789Z');
    expect(packed.templates[0]?.modTime).toBe('2024-02-29T12:34:56.123456789Z');
  });
});
