/** A container whose image the kubelet cannot provide, from the status of its pod. */
export interface ImageTrouble {
  readonly image: string;
  /** The kubelet's reason: `ErrImagePull`, `InvalidImageName`... */
  readonly reason: string;
  /** The kubelet's message, without its generic part; '' if it gives no reason. */
  readonly cause: string;
  readonly container: string;
  readonly pod: string;
  readonly namespace: string | undefined;
  /** The pod existed before the action, so its failure may predate the fix. */
  readonly isOld: boolean;
}

/**
 * The reasons with which a container waits for its image:
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/images/types.go
 */
const REASONS = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

export function isImageReason(reason: string): boolean {
  return REASONS.has(reason);
}

/** Only a change helps: the image name is invalid, or a policy forbids the image. */
const FINAL_REASONS = new Set(['InvalidImageName', 'ErrImageNeverPull', 'SignatureValidationFailed']);

/** The registry answers and refuses, in the wording of containerd, CRI-O and registries. */
const REFUSED =
  /not found|manifest unknown|name unknown|does not exist|denied|unauthori[sz]ed|authorization failed|authentication required|no basic auth credentials|4(?:01 Unauthorized|03 Forbidden)|no match for platform|no matching manifest|invalid reference format|x509|HTTP response to HTTPS client|will run as root/i;
/** The registry asks to retry later. */
const BUSY = /(?:429 |5\d\d [A-Z])|too ?many ?requests|rate limit/i;

/** Covers the kubelet's first two pulls from an unreachable registry, which are 10 s apart. */
const UNREACHABLE_PATIENCE_MS = 20_000;

/**
 * Returns how long waiting may still help, in ms from the first refusal; infinite if the registry asks to retry later.
 */
export function patienceMs({ image, reason, cause }: ImageTrouble): number {
  if (FINAL_REASONS.has(reason)) return 0;
  // Names and addresses in the message may contain any word.
  const text = cause.replaceAll(image, ' ').replaceAll(/"[^"]*"|https?:\/\/\S+/g, ' ');
  if (BUSY.test(text)) return Number.POSITIVE_INFINITY;
  return REFUSED.test(text) ? 0 : UNREACHABLE_PATIENCE_MS;
}

const NOISE =
  /^(?:Back-off pulling image "[^"]*"(?:: )?|ErrImagePull: |rpc error: code = \w+ desc = |Failed to pull image "[^"]*": |failed to pull and unpack image "[^"]*": |failed to resolve reference "[^"]*": |failed to do request: )+/;

/** Returns the kubelet's message without its generic part; '' if nothing else remains, as with older kubelets. */
export function pullCause(message: string): string {
  return message.replace(NOISE, '').trim();
}
