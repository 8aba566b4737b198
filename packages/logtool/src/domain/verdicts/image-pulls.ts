/** Why a container waits that has no image (pkg/kubelet/images, the kubelet's own words). */
export const PULL_REASONS: readonly string[] = [
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
];

/** What the registry or the runtime answered, without what the kubelet and containerd say around it. */
export function registryAnswer(message: string): string {
  return message
    .replace(/^Back-off pulling image "[^"]*"(?:: ErrImagePull: )?/, '')
    .replace(/^Failed to pull image "[^"]*": /, '')
    .replace(/^rpc error: code = \w+ desc = /, '')
    .replace(/^failed to pull and unpack image "[^"]*": /, '')
    .replace(/^failed to resolve (?:reference|image) "[^"]*": /, '')
    .trim();
}
