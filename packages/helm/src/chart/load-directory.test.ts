import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { helmFailed } from '../../../../test/support/helm/failed.ts';
import { loadChartDirectory } from './load-directory.ts';

it('refuses what is neither a file nor a directory, unless it is ignored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
  const server = createServer();
  try {
    await writeFile(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
    await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
    const why = 'cannot load irregular file socket as it has file mode type bits set';
    await expect(loadChartDirectory(folder)).rejects.toEqual(
      helmFailed('invalid-chart', { where: [], problem: 'refused', why }),
    );
    await writeFile(join(folder, '.helmignore'), 'socket\n');
    expect((await loadChartDirectory(folder)).metadata.name).toBe('chart');
  } finally {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  }
});
