import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { LogtoolError } from '../../src/domain/errors.ts';
import { loadChartDirectory } from '../../src/helm/chart/load-directory.ts';
import { renderChart } from '../../src/helm/render/render-chart.ts';
import { coalesceValues } from '../../src/helm/values/coalesce.ts';
import { processDependencies } from '../../src/helm/values/process-dependencies.ts';
import { readYamlMap } from '../../src/helm/yaml/read-yaml.ts';
import { HELM_VERSIONS, type HelmVersion, helm } from '../oracle/helm.ts';
import { type ChartCase, chartYaml } from './charts/chart-case.ts';
import { ORDER_CHARTS } from './charts/order.ts';
import { SCOPE_CHARTS } from './charts/scope.ts';
import { type Answer, helmError, writeFiles } from './with-helm.ts';
import { errorWords } from './with-ours.ts';

const CHARTS: readonly ChartCase[] = [...ORDER_CHARTS, ...SCOPE_CHARTS];
const EACH = HELM_VERSIONS.flatMap((version) => CHARTS.map((chart) => [chart.name, version, chart] as const));

it.concurrent.each(EACH)('%s gives the same objects and hooks as helm %s', async (_name, version, one) => {
  const home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
  try {
    const files = {
      'Chart.yaml': chartYaml(one.name),
      ...one.files,
      'given.yaml': JSON.stringify(one.values ?? {}),
    };
    await writeFiles(join(home, one.name), files);
    const theirs = await withHelm(version, home, one);
    expect(comparable(await withOurs(version, join(home, one.name), one))).toEqual(comparable(theirs));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

async function withHelm(version: HelmVersion, home: string, one: ChartCase): Promise<Answer> {
  const folder = join(home, one.name);
  const args = ['template', 'name', folder, '-n', 'space', '-f', join(folder, 'given.yaml')];
  if (one.isUpgrade === true) args.push('--is-upgrade');
  args.push('--kube-version', one.kubeVersion ?? 'v1.35.0');
  for (const api of one.apiVersions ?? []) args.push('--api-versions', api);
  const result = await helm(version, args, { home });
  if (result.exitCode === 0) return { text: result.stdout.toString() };
  return { error: helmError(result.stderr) };
}

async function withOurs(version: HelmVersion, folder: string, one: ChartCase): Promise<Answer> {
  const given = readYamlMap(JSON.stringify(one.values ?? {}));
  const chart = processDependencies(await loadChartDirectory(folder), given);
  const isUpgrade = one.isUpgrade ?? false;
  const kubeVersion = one.kubeVersion ?? 'v1.35.0';
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(kubeVersion)!;
  try {
    const { manifest, hooks } = await renderChart(chart, coalesceValues(chart, given), {
      release: { name: 'name', namespace: 'space', revision: 1, isInstall: !isUpgrade, isUpgrade },
      capabilities: {
        kubeVersion: { version: kubeVersion, major, minor },
        apiVersions: ['v1', ...(one.apiVersions ?? [])],
      },
      clock: systemClock,
      randomBytes: (count) => new Uint8Array(count),
    });
    const shownHooks = hooks.map(({ path, manifest: text }) => `---\n# Source: ${path}\n${text}\n`);
    return { text: `${manifest.trim()}\n${shownHooks.join('')}` };
  } catch (error) {
    if (!(error instanceof LogtoolError)) throw error;
    return { error: errorWords(version, error) };
  }
}

/** A step of a template that includes itself: Go's stack takes 1000 of them, ours some hundreds. */
const SAME_STEP = /(template: \S+: executing "r" at <include "r" \.>: error calling include: )+/g;

/** What was read of a manifest has names in Go that mean nothing here: `into Go struct field SimpleHead.kind of type string`. */
function comparable(answer: Answer): Answer {
  if ('text' in answer) return answer;
  return { error: answer.error.replace(/(cannot unmarshal \w+) into Go .*$/, '$1').replace(SAME_STEP, '$1') };
}
