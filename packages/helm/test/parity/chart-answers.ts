import { join } from 'node:path';
import { loadChartDirectory } from '@logtool/helm/src/chart/load-directory.ts';
import { renderChart } from '@logtool/helm/src/render/render-chart.ts';
import { coalesceValues } from '@logtool/helm/src/values/coalesce.ts';
import { processDependencies } from '@logtool/helm/src/values/process-dependencies.ts';
import { readYamlMap } from '@logtool/helm/src/yaml/read-yaml.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { type HelmVersion, helm } from '../../../../test/support/oracles/helm.ts';
import type { ChartCase } from './charts/chart-case.ts';
import { type Answer, helmError } from './with-helm.ts';
import { errorMessage } from './with-ours.ts';

/** What `helm template` says of the chart in `home`/NAME, whose given values are in given.yaml. */
export async function withHelm(version: HelmVersion, home: string, one: ChartCase): Promise<Answer> {
  const folder = join(home, one.name);
  const args = ['template', 'name', folder, '-n', 'space', '-f', join(folder, 'given.yaml')];
  if (one.isUpgrade === true) args.push('--is-upgrade');
  args.push('--kube-version', one.kubeVersion ?? 'v1.35.0');
  for (const api of one.apiVersions ?? []) args.push('--api-versions', api);
  const result = await helm(version, args, { home });
  if (result.exitCode === 0) return { text: result.stdout.toString() };
  return { error: helmError(result.stderr) };
}

/** The same from our engine. */
export async function withOurs(version: HelmVersion, folder: string, one: ChartCase): Promise<Answer> {
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
    return { error: errorMessage(version, error) };
  }
}
