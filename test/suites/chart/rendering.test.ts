import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadChart } from '@logtool/helm/src/chart/load-chart.ts';
import { renderChart } from '@logtool/helm/src/render/render-chart.ts';
import { coalesceValues } from '@logtool/helm/src/values/coalesce.ts';
import { processDependencies } from '@logtool/helm/src/values/process-dependencies.ts';
import { readUserValues } from '@logtool/helm/src/values/user-values.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HELM_VERSIONS, helm } from '../../support/oracles/helm.ts';
import { EVERYTHING } from './everything.ts';

const CHART = join(import.meta.dirname, '../../../charts/logtool');
const CASES = {
  'the defaults': [],
  everything: EVERYTHING,
  'readers of the whole cluster': ['readers[0].kind=User,readers[0].name=ann'],
  'no extras': [
    'dashboard.serviceAccount.create=false,dashboard.networkPolicy.enabled=false',
    'dashboard.podDisruptionBudget.enabled=false,dashboard.resources=null',
  ],
  'a user that OpenShift chooses': [
    'dashboard.podSecurityContext.runAsUser=null,dashboard.podSecurityContext.runAsGroup=null',
  ],
  'no security contexts': ['dashboard.podSecurityContext=null,dashboard.securityContext=null'],
  'the agents': [
    'agent.enabled=true',
    'agent.seLinux.type=container_logreader_t',
    'allowedNamespaces={shop}',
  ],
  'everything and the agents': [...EVERYTHING, 'agent.enabled=true'],
  'session keys of its own': ['dashboard.session.existingSecret=own-keys'],
} as const;

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
});
afterAll(() => rm(home, { recursive: true }));

test.each(
  HELM_VERSIONS.flatMap((version) =>
    Object.entries(CASES).map(([name, sets]) => [version, name, sets] as const),
  ),
)('our engine and helm %s give the same with %s, byte for byte', async (version, _name, sets) => {
  const sent = sets.map((set) => `--set=${set}`);
  const args = ['template', 'r', CHART, '-n', 'ops', '--kube-version', 'v1.35.0', ...sent];
  const theirs = await helm(version, args, { home });
  const values = readUserValues({ typed: sets }, () => '');
  const chart = processDependencies(await loadChart(CHART), values);
  const { manifest, hooks } = await renderChart(chart, coalesceValues(chart, values), {
    release: { name: 'r', namespace: 'ops', revision: 1, isInstall: true, isUpgrade: false },
    capabilities: { kubeVersion: { version: 'v1.35.0', major: '1', minor: '35' }, apiVersions: ['v1'] },
    clock: systemClock,
    randomBytes,
  });
  const shown = hooks.map(({ path, manifest: text }) => `---\n# Source: ${path}\n${text}\n`);
  const ours = `${manifest.trim()}\n${shown.join('')}`;
  expect([theirs.stderr, withoutKey(theirs.stdout.toString())]).toEqual(['', withoutKey(ours)]);
});

/** Masks the session key, which is random: 64 letters and digits, in base64. */
function withoutKey(manifests: string): string {
  return manifests.replace(/^( {2}"(?:session-)?keys": )"[A-Za-z0-9+/]{86}=="$/gm, '$1RANDOM');
}
