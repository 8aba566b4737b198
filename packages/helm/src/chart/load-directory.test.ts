import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { showing } from '../../../../test/support/helm/shown.ts';
import { loadChartDirectory } from './load-directory.ts';

it('refuses what is neither a file nor a directory, unless it is ignored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logtool-chart-'));
  const server = createServer();
  try {
    await writeFile(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
    await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
    await expect(showing(loadChartDirectory(folder))).rejects.toMatchObject({
      code: 'invalid-chart',
      why: expect.stringContaining('cannot load irregular file socket'),
    });
    await writeFile(join(folder, '.helmignore'), 'socket\n');
    expect((await loadChartDirectory(folder)).metadata.name).toBe('chart');
  } finally {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  }
});
