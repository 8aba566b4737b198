/** The kubelet's reasons why a container waits for its image (pkg/kubelet/images). */
export const PULL_REASONS: readonly string[] = [
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
];

/**
 * Returns the answer of the registry or the runtime, without the text that the kubelet and containerd add around it.
 */
export function registryAnswer(message: string): string {
  return message
    .replace(/^Back-off pulling image "[^"]*"(?:: ErrImagePull: )?/, '')
    .replace(/^Failed to pull image "[^"]*": /, '')
    .replace(/^rpc error: code = \w+ desc = /, '')
    .replace(/^failed to pull and unpack image "[^"]*": /, '')
    .replace(/^failed to resolve (?:reference|image) "[^"]*": /, '')
    .trim();
}
