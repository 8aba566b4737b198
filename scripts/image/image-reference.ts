import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';

const values = z.object({
  image: z.object({ registry: z.string(), repository: z.string(), tag: z.string() }),
});
const chart = z.object({ appVersion: z.string() });

/** Returns the image reference in the chart's own values: a cluster finds an image loaded under that name. */
export async function imageReference(root: string): Promise<string> {
  const read = async (name: string) => load(await readFile(join(root, 'charts/logtool', name), 'utf8'));
  const { registry, repository, tag } = values.parse(await read('values.yaml')).image;
  const { appVersion } = chart.parse(await read('Chart.yaml'));
  return `${registry}/${repository}:${tag || appVersion}`;
}
