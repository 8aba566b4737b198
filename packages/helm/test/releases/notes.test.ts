import { join } from 'node:path';
import { loadChartDirectory } from '@logtool/helm/src/chart/load-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionsOn } from '../../../../test/support/helm/actions-on.ts';
import { type HelmCluster, startHelmCluster } from '../../../../test/support/helm/cluster.ts';
import { writeChart } from '../../../../test/support/helm/tiny-chart.ts';
import { HELM_VERSIONS } from '../../../../test/support/oracles/helm.ts';

/* What `helm get notes` and `helm status` show of a release that logtool made, beside those of one of helm's own. */
const SOURCE = {
  'Chart.yaml': 'apiVersion: v2\nname: parent\nversion: 0.1.0\n',
  'templates/NOTES.txt':
    '\n\n  Notes of {{ .Chart.Name }}, {{ .Release.Name }} {{ .Release.Revision }}.\n\n  last  \n\n',
  'templates/more/NOTES.txt': 'no notes: {{ .Release.Name }}\n',
  'templates/one.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-one}\n',
  'charts/kid/Chart.yaml': 'apiVersion: v2\nname: kid\nversion: 0.1.0\n',
  'charts/kid/templates/NOTES.txt': 'Notes of {{ .Chart.Name }}\n',
};
let cluster: HelmCluster;
let on: ReturnType<typeof actionsOn>;
beforeAll(async () => {
  cluster = await startHelmCluster();
  on = actionsOn(cluster.client);
});
afterAll(() => cluster.close());

describe.each(HELM_VERSIONS)('helm %s', (version) => {
  const major = version.split('.')[0];
  /** Of both releases, under one name; notes of several charts come in any order in helm. */
  const shown = async (name: string) => {
    const notes = (await cluster.helm(version, 'get', 'notes', name)).replaceAll(name, 'NAME');
    const status = (await cluster.helm(version, 'status', name)).replaceAll(name, 'NAME');
    return { notes, status: status.slice(status.indexOf('NOTES:')) };
  };
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .sort();

  test('shows only the notes of the chart, to the byte', async () => {
    const [theirs, ours] = [`theirs-${major}`, `ours-${major}`];
    const folder = await writeChart(join(cluster.home, theirs), SOURCE);
    await cluster.helm(version, 'install', theirs, folder);
    await on.install(ours, await loadChartDirectory(folder));
    expect(await shown(ours)).toEqual(await shown(theirs));
    expect((await shown(ours)).notes).not.toContain('kid');
  });

  test('shows those of sub-charts too, where they were asked for', async () => {
    const [theirs, ours] = [`theirs-all-${major}`, `ours-all-${major}`];
    const folder = await writeChart(join(cluster.home, theirs), SOURCE);
    const chart = await loadChartDirectory(folder);
    for (const command of ['install', 'upgrade'] as const) {
      await cluster.helm(version, command, theirs, folder, '--render-subchart-notes');
      await on[command](ours, chart, { subNotes: true });
      const [of, as] = [await shown(ours), await shown(theirs)];
      expect(of.notes).toContain('Notes of kid');
      expect(lines(of.notes)).toEqual(lines(as.notes));
      expect(lines(of.status)).toEqual(lines(as.status));
    }
  });
});
