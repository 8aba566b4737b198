import { parseImageReference } from '@logtool/kube/src/values/image-reference.ts';
import type { ContainerBehavior } from '../../scenario/container-schema.ts';
import type { ContainerSpec } from '../objects.ts';

/** Why a kubelet cannot create a container, mostly because its image is missing, and the message of its event. */
export interface ImageRefusal {
  readonly reason:
    | 'ErrImagePull'
    | 'InvalidImageName'
    | 'ErrImageNeverPull'
    | 'CreateContainerConfigError'
    | 'CreateContainerError';
  readonly message: string;
}

/**
 * Returns why a kubelet does not even request an image:
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/images/image_manager.go
 */
export function refuseUnasked(
  image: string,
  pullPolicy: unknown,
  isOnNode: boolean,
): ImageRefusal | undefined {
  if ('problem' in parseImageReference(image))
    return {
      reason: 'InvalidImageName',
      message: `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`,
    };
  if (pullPolicy === 'Never' && !isOnNode)
    return {
      reason: 'ErrImageNeverPull',
      message: `Container image "${image}" is not present with pull policy of Never`,
    };
  return undefined;
}

const START =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ';

/** Returns the error of containerd 1.6 with runc 1.1 for a command that cannot start; undefined if it can. */
export function startErrorText(
  { command, args }: ContainerSpec,
  error: ContainerBehavior['startError'],
): string | undefined {
  if (error === undefined) return undefined;
  const name = command?.[0] ?? args?.[0] ?? 'app';
  switch (error) {
    case 'not-found':
      return `${START}exec: "${name}": executable file not found in $PATH: unknown`;
    case 'no-such-file':
      return `${START}exec: "${name}": stat ${name}: no such file or directory: unknown`;
    case 'permission-denied':
      return `${START}exec: "${name}": permission denied: unknown`;
  }
}
