import { parseImageReference } from '@logtool/kube/src/values/image-reference.ts';

/** Why a kubelet cannot create a container, mostly for want of its image, and the message of its event. */
export interface ImageRefusal {
  readonly reason: 'ErrImagePull' | 'InvalidImageName' | 'ErrImageNeverPull' | 'CreateContainerConfigError';
  readonly message: string;
}

/** Why an image cannot even be asked for: https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/images/image_manager.go */
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
