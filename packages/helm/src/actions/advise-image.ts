import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { ImageTrouble } from '../apply/image-trouble.ts';
import type { Release } from '../release/release.ts';
import { CHART_REPOSITORY } from '../repository/chart-repository.ts';
import { command, upgradeCommand } from './mend.ts';

/**
 * What to do about an image that the nodes cannot pull. `again`: the command that goes on with the release as it stands
 * after the failure.
 */
export function adviseImage(
  client: Pick<KubeClient, 'cluster'>,
  release: Release,
  again: 'install' | 'upgrade',
): (trouble: ImageTrouble) => string {
  const line = again === 'install' ? command(client, again, release) : upgradeCommand(client, release);
  if (release.chart.metadata.name !== CHART_REPOSITORY.chart)
    return ({ image }) =>
      `check in the chart's values that ${image} exists and that the nodes may pull it (imagePullSecrets), then: ${line}`;
  return ({ reason }) =>
    [
      `name an image that the nodes can pull: ${line} --image REF`,
      reason === 'ErrImageNeverPull'
        ? 'or let the nodes pull it: the same with --image-pull-policy IfNotPresent'
        : `or let the nodes sign in: kubectl create secret docker-registry NAME -n ${release.namespace} ..., then the same with --set 'image.pullSecrets={NAME}'`,
      "or build the image (npm run build:image in logtool's source), load it into each node (ctr -n k8s.io images import, kind load image-archive) and name it with --image",
    ].join('\n');
}
