import { loadChartDirectory } from '@logtool/helm/src/chart/load-directory.ts';
import { packChart } from '@logtool/helm/src/chart/pack-chart.ts';
import { indexOf } from '@logtool/helm/test/support/repository-server.ts';

/** Packs logtool's own chart with these versions. */
async function archivesOf(versions: readonly string[]): Promise<Readonly<Record<string, Uint8Array>>> {
  const chart = await loadChartDirectory('charts/logtool');
  const pack = (version: string) =>
    packChart({ ...chart, metadata: { ...chart.metadata, version, appVersion: version } });
  return Object.fromEntries(versions.map((version) => [version, pack(version)]));
}

/** Returns a repository of logtool's own chart in these versions, as files by path. */
export async function chartFiles(
  versions: readonly string[],
): Promise<Readonly<Record<string, string | Uint8Array>>> {
  const archives = await archivesOf(versions);
  return {
    '/index.yaml': indexOf('logtool', archives),
    ...Object.fromEntries(
      Object.entries(archives).map(([version, bytes]) => [`/logtool-${version}.tgz`, bytes]),
    ),
  };
}
