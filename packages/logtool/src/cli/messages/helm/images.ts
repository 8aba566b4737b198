import type { ImageTrouble } from '@logtool/helm/src/apply/image-trouble.ts';
import type { ImageRetry } from '@logtool/helm/src/failures.ts';
import { containerText } from './obstacles.ts';
import { command, isOfOther, upgradeCommand } from './releases.ts';

/** Describes the failure in one line: `the nodes cannot pull the image ghcr.io/logtool/logtool:0.2.0`. */
export function imageProblem({ image, reason }: ImageTrouble): string {
  if (reason === 'InvalidImageName') return `${JSON.stringify(image)} cannot be the name of an image`;
  if (reason === 'ErrImageNeverPull')
    return `a node does not have the image ${image}, and the pull policy is Never`;
  return `the nodes cannot pull the image ${image}`;
}

/** Returns the kubelet's reason. */
export function pullCauseText({ cause }: ImageTrouble): string {
  return cause === '' ? 'the kubelet does not say why' : cause;
}

/** Advises on an image that the nodes cannot pull, one step per line. */
export function imageAdvice(
  trouble: ImageTrouble,
  retry: ImageRetry | undefined,
  clusterFlags: string,
): string {
  const { image, reason, pod, namespace } = trouble;
  if (retry === undefined)
    return `check the name of the image, and that the nodes may pull it (imagePullSecrets): kubectl describe pod ${pod}${whereOf(namespace)}`;
  const { release, again } = retry;
  const line =
    again === 'install' ? command(again, release, clusterFlags) : upgradeCommand(release, clusterFlags);
  if (isOfOther(release))
    return `check in the chart's values that ${image} exists and that the nodes may pull it (imagePullSecrets), then: ${line}`;
  return [
    `name an image that the nodes can pull: ${line} --image REF`,
    reason === 'ErrImageNeverPull'
      ? 'or let the nodes pull it: the same with --image-pull-policy IfNotPresent'
      : `or let the nodes sign in: kubectl create secret docker-registry NAME -n ${release.namespace} ..., then the same with --set 'image.pullSecrets={NAME}'`,
    "or build the image (npm run build:image in logtool's source), load it into each node (ctr -n k8s.io images import, kind load image-archive) and name it with --image",
  ].join('\n');
}

/** Formats the lines on an image that the kubelet may still pull. */
export function imageTroubleLines(
  trouble: ImageTrouble,
  retry: ImageRetry,
  clusterFlags: string,
): readonly string[] {
  const { image, pod, namespace } = trouble;
  if (trouble.isOld) {
    return [
      `warning: ${containerText(trouble)} could not pull its image ${image} before this command; the kubelet tries again within 5 minutes`,
      `  next: to try again now: kubectl delete pod ${pod}${whereOf(namespace)}`,
    ];
  }
  return [
    `warning: ${imageProblem(trouble)}: ${pullCauseText(trouble)}; the kubelet tries again`,
    ...imageAdvice(trouble, retry, clusterFlags)
      .split('\n')
      .map((line, index) => (index === 0 ? `  next: ${line}` : `        ${line}`)),
  ];
}

const whereOf = (namespace: string | undefined) => (namespace === undefined ? '' : ` -n ${namespace}`);
