import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import type { Release, ReleaseStatus } from '@logtool/helm/src/release/release.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { chartOf, TINY } from '../../support/helm/tiny-chart.ts';

/** Releases of the namespace shop in states that forbid some commands. */
const HELD: Readonly<Record<string, readonly (readonly [ReleaseStatus, string])[]>> = {
  new: [['pending-install', 'Initial install underway']],
  old: [
    ['superseded', 'Install complete'],
    ['deployed', 'Upgrade complete'],
    ['pending-upgrade', 'Preparing upgrade'],
  ],
  back: [
    ['superseded', 'Install complete'],
    ['deployed', 'Upgrade complete'],
    ['pending-rollback', 'Rollback to 1'],
  ],
  leaving: [['uninstalling', 'Deletion in progress (or silently failed)']],
  over: [['uninstalled', 'Uninstallation complete']],
  broken: [['failed', 'the installation of broken failed: interrupted']],
};

/** Records these releases, three hours old, of a chart named logtool. */
export async function holdReleases(client: KubeClient): Promise<void> {
  const chart = chartOf({ ...TINY, 'Chart.yaml': 'apiVersion: v2\nname: logtool\nversion: 0.1.0\n' });
  const at = new Date(systemClock.now() - 3 * 3_600_000).toISOString();
  const storage = clusterStorage(client, systemClock);
  for (const [name, revisions] of Object.entries(HELD))
    for (const [index, [status, description]] of revisions.entries()) {
      const release: Release = {
        name,
        namespace: 'shop',
        version: index + 1,
        info: { firstDeployed: at, lastDeployed: at, description, status, notes: '' },
        chart,
        config: new Map(),
        manifest: '',
        hooks: [],
        labels: {},
      };
      await storage.create(release);
    }
}
